// Editing laws while the previous ones run.
#include "scenes/particles/window/law_book.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "scenes/particles/laws/law_language.hpp"
#include "scenes/particles/laws/laws.hpp"

namespace orrery {
namespace {

particles::World world() {
  particles::World world;
  world.pairs = {particles::ready_pair_law("lennard-jones"), particles::ready_pair_law("coulomb")};
  world.groups = {{particles::ready_group_law("harmonic-bond"), {}, {}}};
  return world;
}

Error refusal(const std::string& law) {
  return usage_error("the law does not compile", {}, "use of undeclared identifier", law + ":2:7");
}

const LawView& find(const std::vector<LawView>& views, const std::string& name) {
  return *std::ranges::find(views, name, &LawView::name);
}

const ParameterView& number(const LawView& law, const std::string& name) {
  return *std::ranges::find(law.numbers, name, [](const ParameterView& each) { return each.info.name; });
}

class LawBookTest : public testing::Test {
 protected:
  LawBookTest() { book.open(world()); }
  LawBook book;
};

TEST_F(LawBookTest, AnEditStaysPendingUntilItRuns) {
  EXPECT_FALSE(book.wants_building());
  book.edit("coulomb", "energy += r;");
  EXPECT_TRUE(book.wants_building());
  EXPECT_TRUE(find(book.views(true), "coulomb").building);
  EXPECT_FALSE(find(book.views(true), "lennard-jones").building);
  book.accept(book.wanted());
  EXPECT_FALSE(book.wants_building());
  EXPECT_EQ(book.running().pairs[1].snippet, "energy += r;");
}

TEST_F(LawBookTest, ARefusedTextStaysOnScreenAndTheOldOneRuns) {
  book.edit("coulomb", "wrong");
  book.refuse(book.wanted(), refusal("coulomb"));
  EXPECT_FALSE(book.wants_building());
  EXPECT_NE(book.running().pairs[1].snippet, "wrong");
  const LawView view = find(book.views(false), "coulomb");
  EXPECT_EQ(view.text, "wrong");
  EXPECT_FALSE(view.refused.empty());
  EXPECT_TRUE(find(book.views(false), "lennard-jones").refused.empty());
}

TEST_F(LawBookTest, AResetBringsTheTextOfTheWorldAndTheBuiltInOne) {
  const EditedLaws own = laws_of(world());
  book.edit("coulomb", "wrong");
  book.refuse(book.wanted(), refusal("coulomb"));
  book.add(particles::ready_pair_law("morse"), 2);
  book.edit("morse", "energy += 1;");
  book.set("lennard-jones/epsilon", 3.0);
  const EditedLaws originals = originals_of(book.wanted(), own);
  for (const char* law : {"coulomb", "morse", "lennard-jones"}) {
    EXPECT_TRUE(find(book.views(false, originals), law).can_reset) << law;
    book.reset(law, originals);
  }
  EXPECT_FALSE(find(book.views(false, originals), "harmonic-bond").can_reset);
  EXPECT_EQ(find(book.views(false, originals), "coulomb").text, particles::ready_pair_law("coulomb").snippet);
  EXPECT_EQ(find(book.views(false, originals), "morse").text, particles::ready_pair_law("morse").snippet);
  EXPECT_EQ(number(find(book.views(false, originals), "morse"), "morse/cutoff").value, Value(2.0));
  const LawView lennard_jones = find(book.views(false, originals), "lennard-jones");
  EXPECT_EQ(number(lennard_jones, "lennard-jones/epsilon").usual, Value(1.0))
      << "the scene tells the engine of parameters";
}

TEST_F(LawBookTest, OneRefusedLawDoesNotHoldUpAnother) {
  book.edit("coulomb", "wrong");
  book.edit("harmonic-bond", "energy += 1;");
  book.refuse(book.wanted(), refusal("coulomb"));
  EXPECT_TRUE(book.wants_building());
  book.accept(book.wanted());
  EXPECT_EQ(book.running().groups[0].snippet, "energy += 1;");
}

TEST_F(LawBookTest, EditDuringABuildIsTriedNext) {
  book.edit("coulomb", "first");
  const EditedLaws built = book.wanted();
  book.edit("coulomb", "second");
  book.refuse(built, refusal("coulomb"));
  EXPECT_TRUE(book.wants_building());
  EXPECT_EQ(find(book.views(true), "coulomb").text, "second");
  EXPECT_TRUE(find(book.views(true), "coulomb").refused.empty());
}

TEST_F(LawBookTest, ParametersThatAreSetWhileALawIsBuiltStay) {
  book.edit("lennard-jones", "energy += epsilon;");
  const EditedLaws built = book.wanted();
  book.set("lennard-jones/epsilon", 2.5);
  book.accept(built);
  EXPECT_FALSE(book.wants_building());
  EXPECT_EQ(number(find(book.views(false), "lennard-jones"), "lennard-jones/epsilon").value, Value(2.5));
}

TEST_F(LawBookTest, LawsAreAddedUnderNamesOfTheirOwnAndRemoved) {
  EXPECT_EQ(book.add(particles::ready_pair_law("coulomb"), 2.5), "coulomb-2");
  EXPECT_EQ(book.wanted().pairs.back().name, "coulomb-2");
  EXPECT_EQ(book.wanted().pairs.back().cutoff, 2.5);
  book.refuse(book.wanted(), refusal("coulomb-2"));
  EXPECT_EQ(book.wanted().pairs.size(), 2U);
  book.remove("coulomb");
  EXPECT_EQ(book.wanted().pairs.size(), 1U);
}

TEST_F(LawBookTest, ANewLawThatIsRefusedStaysOnScreenUntilItIsRemoved) {
  const std::string law = book.add(particles::ready_pair_law("morse"), 2);
  book.edit(law, "wrong");
  book.refuse(book.wanted(), refusal(law));
  EXPECT_FALSE(book.wants_building());
  EXPECT_EQ(find(book.views(false), law).text, "wrong");
  EXPECT_EQ(book.add(particles::ready_pair_law("morse"), 2), "morse-2");
  book.remove("morse-2");
  book.set("morse/cutoff", 1.5);
  EXPECT_FALSE(book.wants_building());
  book.edit(law, "energy += r;");
  EXPECT_TRUE(book.wants_building());
  EXPECT_EQ(book.wanted().pairs.back().cutoff, 1.5);
  book.refuse(book.wanted(), refusal(law));
  book.remove(law);
  EXPECT_FALSE(book.wants_building());
  EXPECT_EQ(book.views(false).size(), laws_of(world()).pairs.size() + laws_of(world()).groups.size());
}

TEST_F(LawBookTest, TypedTextsStayOnScreenAfterOtherErrorsAndAfterCancelling) {
  const std::string law = book.add(particles::ready_pair_law("morse"), 2);
  const auto tell = [&](const std::string& text) {
    book.edit(law, text);
    book.edit("coulomb", text);
  };
  const auto expect_shown = [&](const std::string& text) {
    EXPECT_FALSE(book.wants_building());
    for (const std::string& name : {law, std::string("coulomb")}) {
      EXPECT_EQ(find(book.views(false), name).text, text);
      EXPECT_FALSE(find(book.views(false), name).refused.empty());
    }
    EXPECT_TRUE(find(book.views(false), "lennard-jones").refused.empty());
  };
  tell("energy += r;");
  EXPECT_TRUE(book.refuse(book.wanted(), failure("no memory")));
  expect_shown("energy += r;");
  tell("energy += r * r;");
  book.give_up();
  expect_shown("energy += r * r;");
  book.set("lennard-jones/cutoff", 1.5);
  EXPECT_FALSE(book.refuse(book.wanted(), failure("no memory"))) << "no text is to blame";
}

TEST_F(LawBookTest, AnUnknownNameBecomesAParameterAndTheTextIsTriedAgain) {
  const std::string text = "energy += strength * pow(r, power);";
  const auto refuse = [&](const std::string& name) {
    EXPECT_TRUE(book.refuse(book.wanted(), particles::language::UnknownName(refusal("coulomb"), name)));
    EXPECT_EQ(find(book.views(false), "coulomb").unknown, name);
    EXPECT_EQ(find(book.views(false), "coulomb").text, text);
  };
  const auto parameters = [](const EditedLaws& laws) {
    std::vector<std::string> names;
    for (const particles::LawParameter& each : laws.pairs[1].parameters) names.push_back(each.name);
    return names;
  };
  book.edit("coulomb", text);
  refuse("strength");
  EXPECT_FALSE(book.wants_building());
  book.add_parameter("coulomb", "strength");
  EXPECT_EQ(book.wanted().pairs[1].snippet, text);
  refuse("power");
  EXPECT_EQ(parameters(book.wanted()), (std::vector<std::string>{"k", "strength"})) << "what was made stays";
  book.add_parameter("coulomb", "power");
  book.set("coulomb/strength", 3.0);
  book.accept(book.wanted());
  EXPECT_EQ(parameters(book.running()), (std::vector<std::string>{"k", "strength", "power"}));
  const LawView view = find(book.views(false), "coulomb");
  EXPECT_EQ(view.unknown, "");
  EXPECT_EQ(number(view, "coulomb/strength").value, Value(3.0));
  EXPECT_EQ(number(view, "coulomb/power").value, Value(1.0));
  book.reset("coulomb", originals_of(book.wanted(), laws_of(world())));
  EXPECT_EQ(parameters(book.wanted()), std::vector<std::string>{"k"});
}

TEST_F(LawBookTest, ANameThatNoParameterCanHaveIsNotOffered) {
  book.edit("coulomb", "wrong");
  book.refuse(book.wanted(), particles::language::UnknownName(refusal("coulomb"), std::string(41, 'a')));
  EXPECT_EQ(find(book.views(false), "coulomb").unknown, "");
  book.edit("coulomb", "wrong again");
  book.refuse(book.wanted(), refusal("coulomb"));
  EXPECT_EQ(find(book.views(false), "coulomb").unknown, "");
}

TEST_F(LawBookTest, CutoffsArePendingAndRevertedWithTheirLaw) {
  const double before = book.running().pairs[0].cutoff;
  book.set("lennard-jones/cutoff", 1.5);
  EXPECT_TRUE(book.wants_building());
  EXPECT_EQ(number(find(book.views(true), "lennard-jones"), "lennard-jones/cutoff").value, Value(1.5));
  EXPECT_TRUE(book.refuse(book.wanted(), refusal("lennard-jones")));
  EXPECT_EQ(book.wanted().pairs[0].cutoff, before);
  EXPECT_FALSE(book.refuse(book.wanted(), usage_error("the box is too small", "6", "")));
  EXPECT_THROW(book.set("lennard-jones/cutoff", -1.0), Error);
  EXPECT_THROW(book.set("harmonic-bond/cutoff", 1.0), Error);
}

TEST_F(LawBookTest, NamesAndRangesAreChecked) {
  EXPECT_THROW(book.edit("gravity", ""), Error);
  EXPECT_THROW(book.remove("harmonic-bond"), Error);
  EXPECT_THROW(book.set("lennard-jones/nothing", 1.0), Error);
  EXPECT_THROW(book.set("nothing/epsilon", 1.0), Error);
  EXPECT_THROW(book.set("lennard-jones/epsilon", -1e9), Error);
  EXPECT_THROW(book.set("lennard-jones/epsilon", std::string("much")), Error);
}

TEST_F(LawBookTest, AParameterMayBeNamedCutoffLikeTheCutoff) {
  EditedLaws laws = book.wanted();
  laws.pairs[0].parameters.push_back({.name = "cutoff", .value = 3, .minimum = 0, .maximum = 5});
  book.want(laws);
  book.set("lennard-jones/cutoff", 4.0);
  book.set("lennard-jones/(cutoff)", 2.0);
  EXPECT_EQ(book.wanted().pairs[0].parameters.back().value, 4);
  EXPECT_EQ(book.wanted().pairs[0].cutoff, 2);
}

}  // namespace
}  // namespace orrery
