#include "base/points/xml_tags.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.hpp"
#include "base/files/table_text.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

constexpr std::string_view blanks = " \t\r\n";

std::string without_entities(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 5> entities{
      {{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}}};
  std::string plain;
  while (!text.empty()) {
    const auto found = std::ranges::find_if(entities, [&](const auto& each) { return text.starts_with(each.first); });
    plain += found == entities.end() ? text.front() : found->second;
    text.remove_prefix(found == entities.end() ? 1 : found->first.size());
  }
  return plain;
}

}  // namespace

std::string XmlTag::attribute(std::string_view key) const {
  const auto found = attributes.find(key);
  return found == attributes.end() ? std::string() : found->second;
}

std::string XmlTags::place(std::size_t at) const {
  const std::string_view before = text_.substr(0, at);
  const auto lines = static_cast<std::size_t>(std::ranges::count(before, '\n'));
  const std::size_t line_begin = before.rfind('\n') + 1;  // 0: no line break
  return TextPlace{name_, lines + 1, before.size() - line_begin + 1}.text();
}

void XmlTags::refuse(std::size_t at, const std::string& what, const std::string& found,
                     const std::string& expected) const {
  throw usage_error(what, found.substr(0, 2 * most_shown), expected, place(at));
}

std::size_t XmlTags::find(std::string_view what, std::size_t from) const {
  const std::size_t found = text_.find(what, from);
  if (found == text_.npos)
    throw usage_error("the text ends too early", {}, "expected " + in_quotes(std::string(what)), place(text_.size()));
  return found;
}

// key="value" from `at` on; the byte behind it.
std::size_t XmlTags::read_attribute(XmlTag& tag, std::size_t at) const {
  const std::size_t equals = find("=", at), open = text_.find_first_not_of(blanks, equals + 1);
  std::string_view key = text_.substr(at, equals - at);
  key = key.substr(0, key.find_last_not_of(blanks) + 1);
  if (key.empty() || key.find_first_of("<>\"' \t\r\n") != key.npos || open == text_.npos ||
      (text_[open] != '"' && text_[open] != '\''))
    refuse(at, "an attribute", std::string(text_.substr(at, 32)), "name=\"value\"");
  const std::size_t close = find(text_.substr(open, 1), open + 1);
  tag.attributes.try_emplace(std::string(key), without_entities(text_.substr(open + 1, close - open - 1)));
  return close + 1;
}

XmlTag XmlTags::next() {
  XmlTag tag;
  tag.begin = find("<", at_);
  while (text_.substr(tag.begin, 2) == "<?" ||
         (text_.substr(tag.begin, 2) == "<!" && text_.substr(tag.begin, 4) != "<!--"))
    tag.begin = find("<", find(">", tag.begin));
  const std::string_view rest = text_.substr(tag.begin);
  if (rest.starts_with("<!--")) {
    const std::size_t end = find("-->", tag.begin + 4);
    tag.form = XmlTag::Form::comment, tag.name = text_.substr(tag.begin + 4, end - tag.begin - 4);
    tag.end = at_ = end + 3;
    return tag;
  }
  const bool closes = rest.starts_with("</");
  const std::size_t name = tag.begin + (closes ? 2 : 1);
  std::size_t at = std::min(text_.find_first_of(" \t\r\n/>", name), text_.size());
  tag.name = text_.substr(name, at - name);
  tag.form = closes ? XmlTag::Form::closes : XmlTag::Form::opens;
  for (;;) {
    at = text_.find_first_not_of(blanks, at);
    if (at == text_.npos) (void)find(">", text_.size());
    if (text_[at] == '>') break;
    if (text_.substr(at, 2) == "/>") {
      tag.form = XmlTag::Form::stands_alone;
      ++at;
      break;
    }
    at = read_attribute(tag, at);
  }
  tag.end = at_ = at + 1;
  return tag;
}

std::string_view XmlTags::text_of(const XmlTag& tag) {
  if (tag.form == XmlTag::Form::stands_alone) return {};
  std::string_view first;
  std::size_t depth = 1, begin = tag.end;
  while (depth > 0) {
    const XmlTag inner = next();
    const std::string_view text = text_.substr(begin, inner.begin - begin);
    if (depth == 1 && is_blank(first)) first = text;
    if (inner.form == XmlTag::Form::opens) ++depth;
    if (inner.form == XmlTag::Form::closes) --depth;
    begin = inner.end;
  }
  return first;
}

}  // namespace orrery
