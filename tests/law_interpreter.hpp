/// Evaluates the steps of a law in any type of number, independently of the OpenCL compiler.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "scenes/particles/laws/law_program.hpp"

namespace orrery::particles::language {

template <class Real>
class Interpreter {
 public:
  Interpreter(const Program& program, const std::map<std::string, Real>& inputs)
      : program_(program), values_(program.steps.size(), Real(0)), slots_(program.slots.size(), Real(0)) {
    for (std::size_t k = 0; k < program.inputs.size(); ++k) {
      const auto found = inputs.find(program.inputs[k].written);
      inputs_.push_back(found == inputs.end() ? Real(0) : found->second);
    }
  }

  std::vector<Real> results() {
    run(0);
    std::vector<Real> results;
    for (const Node node : program_.results) results.push_back(values_[static_cast<std::size_t>(node)]);
    return results;
  }

 private:
  enum class Then { next, leave, again };

  Then run(int region) {
    for (const Item& item : program_.regions[static_cast<std::size_t>(region)].items) {
      const Then then = run(item);
      if (then != Then::next) return then;
    }
    return Then::next;
  }

  Then run(const Item& item) {
    switch (item.kind) {
      case Item::Kind::value:
        values_[static_cast<std::size_t>(item.node)] = value(program_.at(item.node));
        return Then::next;
      case Item::Kind::set:
        slots_[static_cast<std::size_t>(item.slot)] = at(item.node);
        return Then::next;
      case Item::Kind::branch:
        if (at(item.node) != 0) return run(item.region);
        return item.otherwise >= 0 ? run(item.otherwise) : Then::next;
      case Item::Kind::loop:
        for (int round = 0; round < 4096; ++round)
          if (run(item.region) == Then::leave) return Then::next;
        throw std::runtime_error("a loop does not end");
      case Item::Kind::leave:
        return Then::leave;
      case Item::Kind::again:
        return Then::again;
    }
    return Then::next;
  }

  Real at(Node node) const { return values_[static_cast<std::size_t>(node)]; }

  static Real wrapped(std::int64_t value, Type type) {
    return type == Type::int_ ? Real(static_cast<std::int32_t>(static_cast<std::uint32_t>(value)))
                              : Real(static_cast<std::uint32_t>(value));
  }

  Real value(const Step& step) const {
    const auto from = [&](std::size_t k) { return step.from[k] == none ? Real(0) : at(step.from[k]); };
    const Real a = from(0), b = from(1), c = from(2);
    const bool whole = step.type == Type::int_ || step.type == Type::uint;
    const auto i = static_cast<std::int64_t>(whole ? a : 0), j = static_cast<std::int64_t>(whole ? b : 0);
    switch (step.op) {
      case Op::constant:
        return Real(step.number);
      case Op::input:
        return inputs_[static_cast<std::size_t>(step.index)];
      case Op::slot:
        return slots_[static_cast<std::size_t>(step.index)];
      case Op::add:
        return whole ? wrapped(i + j, step.type) : a + b;
      case Op::subtract:
        return whole ? wrapped(i - j, step.type) : a - b;
      case Op::multiply:
        return whole ? wrapped(static_cast<std::int64_t>(static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(j)),
                               step.type)
                     : a * b;
      case Op::divide:
        return whole ? (j == 0 ? Real(0) : wrapped(i / j, step.type)) : a / b;
      case Op::remainder:
        return j == 0 ? Real(0) : wrapped(i % j, step.type);
      case Op::negate:
        return whole ? wrapped(-i, step.type) : -a;
      case Op::not_:
        return Real(a == 0);
      case Op::less:
        return Real(a < b);
      case Op::less_equal:
        return Real(a <= b);
      case Op::equal:
        return Real(a == b);
      case Op::both:
        return Real(a != 0 && b != 0);
      case Op::either:
        return Real(a != 0 || b != 0);
      case Op::select:
        return a != 0 ? b : c;
      case Op::convert:
        return step.type == Type::bool_  ? Real(a != 0)
               : step.type == Type::real ? a
                                         : wrapped(static_cast<std::int64_t>(a), step.type);
      case Op::call:
        return call(*step.function, a, b, c);
    }
    return Real(0);
  }

  static Real call(const Function& function, Real a, Real b, Real c) {
    std::string name(function.name);
    if (name.starts_with("native_")) name.erase(0, 7);
    using Unary = Real (*)(Real);
    static const std::map<std::string, Unary> unary{
        {"sqrt", [](Real x) { return std::sqrt(x); }},
        {"rsqrt", [](Real x) { return 1 / std::sqrt(x); }},
        {"cbrt", [](Real x) { return std::cbrt(x); }},
        {"fabs", [](Real x) { return std::fabs(x); }},
        {"exp", [](Real x) { return std::exp(x); }},
        {"exp2", [](Real x) { return std::exp2(x); }},
        {"exp10", [](Real x) { return std::pow(Real(10), x); }},
        {"expm1", [](Real x) { return std::expm1(x); }},
        {"log", [](Real x) { return std::log(x); }},
        {"log2", [](Real x) { return std::log2(x); }},
        {"log10", [](Real x) { return std::log10(x); }},
        {"log1p", [](Real x) { return std::log1p(x); }},
        {"sin", [](Real x) { return std::sin(x); }},
        {"cos", [](Real x) { return std::cos(x); }},
        {"tan", [](Real x) { return std::tan(x); }},
        {"asin", [](Real x) { return std::asin(x); }},
        {"acos", [](Real x) { return std::acos(x); }},
        {"atan", [](Real x) { return std::atan(x); }},
        {"sinh", [](Real x) { return std::sinh(x); }},
        {"cosh", [](Real x) { return std::cosh(x); }},
        {"tanh", [](Real x) { return std::tanh(x); }},
        {"asinh", [](Real x) { return std::asinh(x); }},
        {"acosh", [](Real x) { return std::acosh(x); }},
        {"atanh", [](Real x) { return std::atanh(x); }},
        {"erf", [](Real x) { return std::erf(x); }},
        {"erfc", [](Real x) { return std::erfc(x); }},
        {"floor", [](Real x) { return std::floor(x); }},
        {"ceil", [](Real x) { return std::ceil(x); }},
        {"round", [](Real x) { return std::round(x); }},
        {"trunc", [](Real x) { return std::trunc(x); }},
        {"rint", [](Real x) { return std::rint(x); }},
        {"sign", [](Real x) { return x > 0   ? Real(1)
                                     : x < 0 ? Real(-1)
                                             : Real(0); }},
        {"isnan", [](Real x) { return Real(std::isnan(x)); }},
        {"isinf", [](Real x) { return Real(std::isinf(x)); }},
        {"isfinite", [](Real x) { return Real(std::isfinite(x)); }}};
    if (const auto found = unary.find(name); found != unary.end()) return found->second(a);
    if (name == "pow" || name == "powr") return std::pow(a, b);
    if (name == "atan2") return std::atan2(a, b);
    if (name == "hypot") return std::hypot(a, b);
    if (name == "fmod") return std::fmod(a, b);
    if (name == "fmin" || name == "min") return std::fmin(a, b);
    if (name == "fmax" || name == "max") return std::fmax(a, b);
    if (name == "clamp") return std::fmin(std::fmax(a, b), c);
    if (name == "fma") return std::fma(a, b, c);
    throw std::logic_error("the interpreter does not know " + name);
  }

  const Program& program_;
  std::vector<Real> values_, slots_, inputs_;
};

template <class Real>
std::vector<Real> results_of(const Program& program, const std::map<std::string, Real>& inputs) {
  return Interpreter<Real>(program, inputs).results();
}

}  // namespace orrery::particles::language
