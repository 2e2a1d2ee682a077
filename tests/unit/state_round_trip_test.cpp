/// Random states of every scene are the same after a round trip through a state file, a picture and a command line.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <set>

#include "base/error.hpp"
#include "base/files/file_outline.hpp"
#include "base/files/state_text.hpp"
#include "base/text.hpp"
#include "scratch.hpp"
#include "shell/files/document.hpp"
#include "shell/files/dropped_file.hpp"

using namespace orrery;
using namespace orrery::shell;

namespace {

constexpr int drawn_states = 40;

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  double part() { return std::uniform_real_distribution<double>(0, 1)(random_); }
  std::size_t index(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_); }

  Value value(const ParameterView& parameter) {
    const ParameterInfo& info = parameter.info;
    const double least = info.logarithmic && info.minimum <= 0 ? info.maximum * 1e-7 : info.minimum;
    const double number =
        info.logarithmic ? least * std::pow(info.maximum / least, part()) : least + (info.maximum - least) * part();
    if (std::holds_alternative<bool>(parameter.value)) return part() < 0.5;
    if (std::holds_alternative<double>(parameter.value)) return info.either_sign && part() < 0.5 ? -number : number;
    if (std::holds_alternative<std::int64_t>(parameter.value)) {
      if (info.automatic && part() < 0.3) return std::int64_t{0};
      return static_cast<std::int64_t>(std::ceil(number));
    }
    if (info.choices.empty()) return parameter.value;  // names of files and variants
    return std::string(info.choices[index(info.choices.size())]);
  }

 private:
  std::mt19937 random_;
};

// A named initial condition determines its number of bodies.
bool is_drawn(std::string_view name) { return name != "initial" && name != "world" && name != "variant"; }

std::unique_ptr<Scene> drawn_scene(const SceneKind& kind, unsigned seed) {
  Draw draw(seed);
  std::unique_ptr<Scene> scene = kind.make(kind);
  StateSection section = scene->choices();
  const std::vector<ParameterView> parameters = scene->table();
  for (auto& [key, value] : section)
    for (const ParameterView& parameter : parameters)
      if (parameter.info.name == key && is_drawn(key)) value = draw.value(parameter);
  for (const ParameterView& parameter : parameters)
    if (parameter.info.place == ParameterPlace::view && std::holds_alternative<double>(parameter.value))
      section.emplace_back(parameter.info.name, 0.1 + (std::min(7.1, parameter.info.maximum) - 0.1) * draw.part());
  if (kind.view_arguments != nullptr)  // a centre with more digits than a double
    for (const char* key : {"center-re", "center-im", "span"})
      section.emplace_back(key, "0.25000000000000000000000000000000" + std::to_string(1 + draw.index(1000)));
  EXPECT_TRUE(scene->load(section).empty());
  return scene;
}

std::string text_of(const Scene& scene) { return state_text({{std::string(scene.kind().name), scene.save()}}); }

std::unique_ptr<Scene> loaded(const SceneKind& kind, const StateSection& section) {
  std::unique_ptr<Scene> scene = kind.make(kind);
  EXPECT_TRUE(scene->load(section).empty());
  return scene;
}

// Splits a line into words like a shell.
std::vector<std::string> words_of(const std::string& line) {
  const auto script = scratch("words.sh"), output = scratch("words.txt");
  std::ofstream(script) << "printf '%s\\0' " << line << "\n";
  EXPECT_EQ(std::system(("sh " + script.string() + " > " + output.string()).c_str()), 0);
  std::ifstream file(output, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\0', at);
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  std::filesystem::remove(script);
  std::filesystem::remove(output);
  return words;
}

// Reads the options like the window.
StateSection options_of(const Scene& scene, const std::vector<std::string>& words) {
  const std::vector<ParameterView> known = scene.table();
  StateSection section;
  for (std::size_t k = 3; k < words.size(); ++k) {
    std::string name = words[k].substr(2), text;
    if (name == "center") {
      section.emplace_back("center-re", words[k + 1]);
      section.emplace_back("center-im", words[k + 2]);
      k += 2;
      continue;
    }
    if (const std::size_t equal = name.find('='); equal != name.npos) {
      text = name.substr(equal + 1);
      name.resize(equal);
    } else {
      text = words[++k];
    }
    Value value = text;
    for (const ParameterView& parameter : known)
      if (parameter.info.name == name) value = parse_value(parameter.info, parameter.value, text);
    section.emplace_back(name, value);
  }
  return section;
}

}  // namespace

TEST(StateText, EachSceneComesBackFromItsText) {
  for (const SceneKind* kind : scene_kinds())
    for (unsigned seed = 1; seed <= drawn_states; ++seed) {
      const auto scene = drawn_scene(*kind, seed);
      const std::string text = text_of(*scene);
      const StateTables read = parse_state(text, "drawn.toml");
      EXPECT_EQ(text_of(*loaded(*kind, read.at(std::string(kind->name)))), text) << kind->name << " " << seed;
    }
}

// A key that is read in two places would have two ranges.
TEST(StateText, EachKeyIsDeclaredOnce) {
  const std::set<std::string_view> of_moments{"paused",      "step",           "time",      "bodies-csv",
                                              "tree-memory", "force-exponent", "world-toml"};
  for (const SceneKind* kind : scene_kinds()) {
    const auto scene = drawn_scene(*kind, 3);
    std::set<std::string_view> rows;
    for (const ParameterView& row : scene->table())
      EXPECT_TRUE(rows.insert(row.info.name).second) << kind->name << " has two rows of the name " << row.info.name;
    for (const std::string_view key : of_moments) EXPECT_FALSE(rows.contains(key)) << kind->name << ": " << key;
    std::set<std::string> keys;
    for (const auto& [key, value] : scene->save()) {
      EXPECT_TRUE(keys.insert(key).second) << kind->name << " saves twice the key " << key;
      EXPECT_TRUE(rows.contains(key) || of_moments.contains(key)) << kind->name << ": no row declares the key " << key;
    }
  }
}

TEST(StateText, ASceneThatWasNotShownOverridesNothingOfItsWorld) {
  for (const SceneKind* kind : scene_kinds()) {
    const auto unseen = kind->make(*kind);
    const StateSection saved = unseen->save();
    for (const ParameterView& row : unseen->table()) {
      if (row.info.brought ? !row.usual : row.info.name == "camera-distance") {
        EXPECT_EQ(value_of(saved, row.info.name), nullptr) << kind->name << ": " << row.info.name;
      }
      if (!row.info.brought || row.value == Value(std::string())) continue;
      const auto given = loaded(*kind, {{std::string(row.info.name), row.value}});
      const StateSection again = given->save();
      const Value* const kept = value_of(again, row.info.name);
      EXPECT_TRUE(kept != nullptr && *kept == row.value) << row.info.name << " was given";
      const bool is_told = command_line(*given).find("--" + std::string(row.info.name) + " ") != std::string::npos;
      EXPECT_EQ(is_told, !row.usual) << row.info.name;
    }
  }
}

TEST(StateText, ChoicesAreThemselvesAState) {
  for (const SceneKind* kind : scene_kinds())
    for (unsigned seed = 1; seed <= drawn_states; ++seed) {
      const auto scene = drawn_scene(*kind, seed);
      const StateSection choices = scene->choices();
      EXPECT_EQ(loaded(*kind, choices)->choices(), choices) << kind->name << " " << seed;
    }
}

TEST(StateText, APictureCarriesTheState) {
  const auto path = scratch("state.png");
  for (const SceneKind* kind : scene_kinds()) {
    const auto scene = drawn_scene(*kind, 7);
    const std::string name(kind->name);
    const StateTables state{{"window", {{std::string(shown_scene_key), name}}}, {name, scene->save()}};
    write_png(path, Image(3, 2), state_texts(state));
    EXPECT_EQ(state_text(read_state(path)), state_text(state));
    const DroppedFile dropped = examine_dropped(scene_kinds(), {path.string()});
    EXPECT_EQ(dropped.scene, name);
    EXPECT_TRUE(dropped.unknown.empty());
    EXPECT_EQ(text_of(*loaded(*kind, dropped.state.at(name))), text_of(*scene));
  }
  std::filesystem::remove(path);
}

TEST(StateText, APictureWithoutStateIsRefused) {
  const auto path = scratch("plain.png");
  write_png(path, Image(3, 2), {{"Title", "a boat"}, {"orrery-states", "[window]"}});
  EXPECT_FALSE(outline_of(path, {}).holds_state);
  EXPECT_THROW((void)read_state(path), Error);
  std::filesystem::remove(path);
}

namespace {

Matrix drawn_matrix(std::size_t rows, std::size_t columns, unsigned seed) {
  std::mt19937_64 bits(seed);
  auto values = std::make_shared<std::vector<double>>(rows * columns);
  for (double& value : *values) value = std::bit_cast<double>(bits() & 0xbfff'ffff'ffff'ffff);  // finite
  values->front() = -0.0;
  return {"mass,x,y,z,vx,vy,vz", rows, columns, std::shared_ptr<const double>(values, values->data())};
}

StateTables state_with_bodies(std::size_t bodies) {
  return {
      {"window", {{"scene", std::string("nbody")}}},
      {"nbody", {{"dt", 0.25}, {"initial", std::string("Ünïcode")}, {"bodies-csv", drawn_matrix(bodies, 7, 3)}}},
      {"particles", {{"laws", std::string("[[pair]]\nname = \"'''\"\n")}, {"world-toml", std::string(100'000, 'w')}}}};
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

PictureState write_picture(const std::filesystem::path& path, const StateTables& state) {
  PictureState carried = picture_state(state);
  write_png(path, Image(3, 2), carried.texts, carried.attachment);
  return carried;
}

// Imitates an image editor: moves all text chunks behind the pixels and may drop the program's own chunk.
void move_texts_behind_pixels(const std::filesystem::path& path, bool drop_attachment) {
  const std::string bytes = bytes_of(path);
  std::string before = bytes.substr(0, 8), texts, end;
  for (std::size_t at = 8; at < bytes.size();) {
    std::size_t length = 0;
    for (std::size_t k = 0; k < 4; ++k) length = length << 8 | static_cast<unsigned char>(bytes[at + k]);
    const std::string type = bytes.substr(at + 4, 4), chunk = bytes.substr(at, length + 12);
    at += chunk.size();
    if (type == attachment_chunk && drop_attachment) continue;
    (type.ends_with("Xt") ? texts : type == "IEND" ? end : before) += chunk;
  }
  std::ofstream(path, std::ios::binary) << before << texts << end;
}

}  // namespace

TEST(StateText, AnArchiveKeepsTheBits) {
  const auto path = scratch("state.npz");
  const StateTables state = state_with_bodies(1000);
  write_state(path, state);
  EXPECT_TRUE(bytes_of(path).starts_with("PK"));
  EXPECT_TRUE(outline_of(path, {}).holds_state);
  EXPECT_EQ(read_state(path), state) << "names of columns apart, which an archive does not have";
  const auto renamed = scratch("renamed.toml");  // the content determines the kind
  std::filesystem::rename(path, renamed);
  EXPECT_EQ(read_state(renamed), state);
  std::filesystem::remove(renamed);
}

TEST(StateText, ManyNumbersMakeAnArchiveAndFewAText) {
  EXPECT_FALSE(is_large(state_with_bodies(1000)));
  EXPECT_TRUE(is_large(state_with_bodies(100'000)));
  const auto path = scratch("session.toml");
  for (const std::size_t bodies : {1000, 100'000}) {
    write_session(path, state_with_bodies(bodies));
    EXPECT_EQ(bytes_of(path).starts_with("PK"), bodies > 1000);
    const StateTables read = read_state(path);
    if (bodies > 1000) {
      EXPECT_EQ(read, state_with_bodies(bodies));
    } else {
      EXPECT_EQ(state_text(read), state_text(state_with_bodies(bodies)));
    }
  }
  std::filesystem::remove(path);
}

TEST(StateText, APictureCarriesManyBodiesBesideASmallText) {
  const auto path = scratch("bodies.png");
  for (const std::size_t bodies : {10, 200'000}) {
    const StateTables state = state_with_bodies(bodies);
    const PictureState carried = write_picture(path, state);
    EXPECT_LT(carried.texts.at(state_keyword).size(), 65'536U);
    EXPECT_TRUE(carried.left_out.empty());
    EXPECT_EQ(read_state(path), state);
    move_texts_behind_pixels(path, false);
    EXPECT_EQ(read_state(path), state);
    EXPECT_EQ(read_recipe(path).at("nbody"), (StateSection{{"dt", 0.25}, {"initial", std::string("Ünïcode")}}));
  }
  std::filesystem::remove(path);
}

TEST(StateText, APictureListsItsMissingValues) {
  const auto path = scratch("lacking.png");
  write_picture(path, state_with_bodies(1000));
  move_texts_behind_pixels(path, true);
  const StateTables left = read_state(path);
  EXPECT_EQ(kept_apart(left), "nbody.bodies-csv (1000 x 7 numbers), particles.world-toml (97.7 KiB)");
  const PictureState carried = write_picture(path, state_with_bodies(1'300'000));
  EXPECT_EQ(carried.left_out, "nbody.bodies-csv (1300000 x 7 numbers), particles.world-toml (97.7 KiB)");
  EXPECT_TRUE(carried.attachment.empty());
  EXPECT_EQ(kept_apart(read_state(path)), carried.left_out);
  std::filesystem::remove(path);
}

TEST(StateText, ADamagedArchiveIsRefused) {
  const auto path = scratch("damaged.npz");
  const StateTables state = state_with_bodies(100);
  write_state(path, state);
  const std::string whole = bytes_of(path);
  for (std::size_t at = 0; at < whole.size(); at += 97) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 4);
    std::ofstream(path, std::ios::binary) << bytes;
    try {
      const StateTables read = read_state(path);
      EXPECT_EQ(read.at("nbody"), state.at("nbody")) << at << ": a byte that says nothing of the content";
    } catch (const Error&) {
    } catch (const std::out_of_range&) {
      ADD_FAILURE() << at;
    }
    std::ofstream(path, std::ios::binary) << whole.substr(0, at);
    EXPECT_THROW((void)read_state(path), Error) << at;
  }
  std::filesystem::remove(path);
}

// Key words of other kinds inside of strings do not count.
TEST(StateText, TheKindOfAFileFollowsFromItsStructure) {
  const auto path = scratch("outline.toml");
  const auto outline_of_text = [&](const std::string& text) {
    std::ofstream(path) << text;
    return outline_of(path, {});
  };
  const FileOutline session =
      outline_of_text("[particles]\nworld-toml = \"\"\"\n[[fill]]\n[[kind]]\n[[step]]\n\"\"\"\n");
  EXPECT_TRUE(session.holds_state);
  EXPECT_TRUE(session.lists.empty());
  const FileOutline world = outline_of_text("about = \"[nbody]\"\n[[fill]]\nshape = \"list\"\n[box]\n");
  EXPECT_FALSE(world.holds_state);
  EXPECT_TRUE(world.lists.contains("fill"));
  EXPECT_FALSE(outline_of_text("span = 3\n").holds_state);
  std::filesystem::remove(path);
}

// A picture of a few kilobytes whose text expands to gigabytes.
TEST(StateText, AForeignTextThatExpandsEndlesslyIsRefused) {
  const auto path = scratch("bomb.png");
  write_png(path, Image(3, 2), {{state_keyword, std::string(std::size_t{64} << 20, ' ')}});
  EXPECT_LT(std::filesystem::file_size(path), std::size_t{1} << 20);
  EXPECT_THROW((void)read_state(path), Error);
  write_png(path, Image(3, 2), {{state_keyword, "[window]\nscene = [1, 2]\n"}});
  EXPECT_THROW((void)read_state(path), Error);
  EXPECT_THROW((void)examine_dropped(scene_kinds(), {path.string()}), Error);
  std::filesystem::remove(path);
}

TEST(CommandLine, AShellReadsEachWordAsItIs) {
  for (const std::string word :
       {"plain", "", "two words", "it's", "$HOME `id` \"$(id)\"", "a\nb", "\\", "ν=3", "~", "*"})
    EXPECT_EQ(words_of(shell_word(word)), std::vector<std::string>{word});
}

TEST(CommandLine, OfAFreshSceneNamesItOnly) {
  for (const SceneKind* kind : scene_kinds())
    EXPECT_EQ(command_line(*kind->make(*kind)), "orrery --scene " + std::string(kind->name));
}

TEST(CommandLine, TellsAllThatDiffers) {
  for (const SceneKind* kind : scene_kinds())
    for (unsigned seed = 1; seed <= 10; ++seed) {
      const auto scene = drawn_scene(*kind, seed);
      const std::vector<std::string> words = words_of(command_line(*scene));
      const StateSection options = options_of(*scene, words);
      EXPECT_EQ(text_of(*loaded(*kind, options)), text_of(*scene)) << kind->name << " " << command_line(*scene);
      const StateSection defaults = scene->defaults();
      for (const auto& [key, value] : options) {
        const Value* const usual = value_of(defaults, key);
        EXPECT_TRUE(usual == nullptr || *usual != value) << key;
      }
    }
}
