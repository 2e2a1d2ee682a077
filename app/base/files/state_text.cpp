#include "base/files/state_text.hpp"

#include <toml++/toml.h>
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <sstream>

#include "base/error.hpp"
#include "base/files/archive.hpp"
#include "base/files/file_outline.hpp"
#include "base/files/npy.hpp"
#include "base/files/toml_text.hpp"
#include "base/log.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

namespace fs = std::filesystem;

constexpr FileKind session_kind{"a session", std::uint64_t{4} << 30};
constexpr std::size_t long_value = 4096;         // bytes of a text above which it is a separate member of an archive
constexpr std::size_t longest_recipe = 60'000;   // bytes of a picture's text
constexpr std::size_t large_state = 8ULL << 20;  // bytes of text
constexpr std::size_t number_text = 21;          // bytes of a number with 17 digits, about
constexpr std::string_view csv_suffix = "-csv", toml_suffix = "-toml", recipe_name = "state.toml";

std::string csv_text(const Matrix& matrix) {
  std::string text(matrix.names);
  for (std::size_t column = 0; matrix.names.empty() && column < matrix.columns; ++column)
    text += (column > 0 ? "," : "") + std::to_string(column);
  for (std::size_t i = 0; i < matrix.values().size(); ++i) {
    text += i % matrix.columns == 0 ? '\n' : ',';
    append_digits17(text, matrix.values()[i]);
  }
  return text + "\n";
}

std::size_t text_bytes(const Value& value) {
  if (const auto* matrix = std::get_if<Matrix>(&value)) return number_text * matrix->values().size();
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? text->size() : 0;
}

std::size_t text_bytes(const StateTables& state) {
  std::size_t bytes = 0;
  for (const auto& [name, section] : state)
    for (const auto& [key, value] : section) bytes += text_bytes(value);
  return bytes;
}

toml::table as_table(const StateSection& section) {
  toml::table table;
  for (const auto& [key, value] : section) {
    if (const auto* matrix = std::get_if<Matrix>(&value))
      table.insert_or_assign(key, csv_text(*matrix));
    else if (const auto* text = std::get_if<std::string>(&value))
      table.insert_or_assign(key, *text);
    else if (const auto* flag = std::get_if<bool>(&value))
      table.insert_or_assign(key, *flag);
    else if (const auto* whole = std::get_if<std::int64_t>(&value))
      table.insert_or_assign(key, *whole);
    else
      table.insert_or_assign(key, std::get<double>(value));
  }
  return table;
}

toml::table document_of(const StateTables& state) {
  toml::table document;
  for (const auto& [name, section] : state) document.insert_or_assign(name, as_table(section));
  return document;
}

constexpr std::string_view first_line = "# A session of Orrery: orrery --state FILE continues from here.\n";

// Only a number of a law may have a / in its key, after the law's name, because texts become members of archives.
void require_plain(const toml::key& key, bool is_number, const std::string& file) {
  const bool plain = is_bare_key(key.str()) || (is_number && key.str().find('/') != std::string_view::npos);
  if (!plain)
    throw usage_error("the key of a state file", std::string(key.str()), "letters, digits, - and _; of a number also /",
                      place_of(file, key.source()));
}

// ---- archives

/// A long value and its key.
struct LongValue {
  std::string table, key;
  Value value;
};

bool is_long(const Value& value, std::size_t longest_text) {
  const auto* text = std::get_if<std::string>(&value);
  return std::holds_alternative<Matrix>(value) || (text != nullptr && text->size() > longest_text);
}

// Moves the long values out of the state.
std::vector<LongValue> take_long_values(StateTables& state, std::size_t longest_text) {
  std::vector<LongValue> taken;
  for (auto& [name, section] : state) {
    for (auto& [key, value] : section)
      if (is_long(value, longest_text)) taken.push_back({name, key, value});
    std::erase_if(section, [&](const auto& entry) { return is_long(entry.second, longest_text); });
  }
  return taken;
}

std::string member_name(const LongValue& apart) {
  const std::string_view key = apart.key;
  if (std::holds_alternative<Matrix>(apart.value))
    return apart.table + "/" + std::string(key.ends_with(csv_suffix) ? key.substr(0, key.rfind('-')) : key) + ".npy";
  if (key.ends_with(toml_suffix)) return apart.table + "/" + std::string(key.substr(0, key.rfind('-'))) + ".toml";
  return apart.table + "/" + apart.key + ".txt";
}

// "nbody.bodies-csv (900 x 7 numbers)"
std::string told(const std::vector<LongValue>& apart) {
  std::string text;
  for (const auto& [table, key, value] : apart) {
    const bool numbers = std::holds_alternative<Matrix>(value);
    text += (text.empty() ? "" : ", ") + table + "." + key + " (" +
            (numbers ? value_text({}, value) : bytes_text(static_cast<double>(text_bytes(value)))) + ")";
  }
  return text;
}

/// Reports the written share of a number of bytes.
class Share {
 public:
  Share(const FileProgress& progress, std::size_t all) : progress_(progress), all_(std::max<std::size_t>(all, 1)) {}
  void add(std::size_t bytes) {
    done_ += bytes;
    if (progress_) progress_(std::min(1.0, static_cast<double>(done_) / static_cast<double>(all_)));
  }

 private:
  const FileProgress& progress_;
  std::size_t all_, done_ = 0;
};

void add_matrix(ArchiveWriter& archive, const Matrix& matrix, Share& share) {
  constexpr std::size_t piece = std::size_t{1} << 20;  // numbers
  const std::array shape{matrix.rows, matrix.columns};
  archive.write(npy_header(shape));
  for (std::span<const double> left = matrix.values(); !left.empty();) {
    const std::span<const double> some = left.first(std::min(piece, left.size()));
    std::ostringstream bytes;
    write_npy_values(bytes, some);
    archive.write(bytes.view());
    left = left.subspan(some.size());
    share.add(some.size_bytes());
  }
}

void write_archive(std::ostream& out, StateTables state, const FileProgress& progress) {
  using enum ArchiveWriter::Packing;
  const std::vector<LongValue> apart = take_long_values(state, long_value);
  std::size_t all = 0;
  for (const LongValue& each : apart)
    if (const auto* matrix = std::get_if<Matrix>(&each.value)) all += matrix->values().size_bytes();
  Share share(progress, all);
  if (!apart.empty()) state["window"].emplace_back(apart_key, told(apart));
  ArchiveWriter archive(out);
  archive.begin(std::string(recipe_name), deflated);
  archive.write(state_text(state));
  for (const LongValue& each : apart) {
    const auto* matrix = std::get_if<Matrix>(&each.value);
    archive.begin(member_name(each), matrix != nullptr ? stored : deflated);
    matrix != nullptr ? add_matrix(archive, *matrix, share) : archive.write(std::get<std::string>(each.value));
  }
  archive.finish();
}

Matrix read_matrix(std::string_view bytes, const std::string& name) {
  auto array = std::make_shared<const NpyArray>(parse_npy(bytes, name));
  return {{}, array->rows(), array->columns(), std::shared_ptr<const double>(array, array->values.data())};
}

// The table and the key of a member; nothing for an unknown member.
std::optional<std::pair<std::string, std::string>> owner_of(const std::string& member) {
  const std::size_t slash = member.find('/');
  if (slash == std::string::npos) return std::nullopt;
  const fs::path file = member.substr(slash + 1);
  const std::string table = member.substr(0, slash), name = file.stem().string(), kind = file.extension().string();
  if (!is_bare_key(table) || !is_bare_key(name)) return std::nullopt;
  if (kind == ".npy") return std::pair(table, name + std::string(csv_suffix));
  if (kind == ".toml") return std::pair(table, name + std::string(toml_suffix));
  return kind == ".txt" ? std::optional(std::pair(table, name)) : std::nullopt;
}

StateTables read_archive(ByteSource source, const std::string& name, const FileProgress& progress) {
  // A few bytes can expand to gigabytes; numbers are stored as they are.
  const std::uint64_t most = (std::uint64_t{64} << 20) + 100 * source.bytes;
  const std::uint64_t all = std::max<std::uint64_t>(source.bytes, 1);
  std::optional<StateTables> state;
  std::vector<LongValue> apart;
  std::uint64_t taken = 0;
  ArchiveReader archive(std::move(source), name);
  archive.visit(
      [&](const ArchiveReader::Member& member) {
        if (member.name != recipe_name && !owner_of(member.name)) return false;
        if (member.bytes > most - taken)
          throw usage_error("the archive " + in_quotes(name) + " is too large when unpacked", {},
                            "at most " + bytes_text(static_cast<double>(most)));
        taken += member.bytes;
        return true;
      },
      [&](const ArchiveReader::Member& member, std::string_view bytes) {
        const std::string place = name + ", " + member.name;
        if (progress) progress(std::min(1.0, static_cast<double>(taken) / static_cast<double>(all)));
        if (member.name == recipe_name) {
          state = parse_state(std::string(bytes), place);
        } else if (const auto owner = owner_of(member.name)) {
          const bool matrix = member.name.ends_with(".npy");
          apart.push_back(
              {owner->first, owner->second, matrix ? Value(read_matrix(bytes, place)) : Value(std::string(bytes))});
        }
      });
  if (!state) throw usage_error("there is no state in " + in_quotes(name), {}, "expected an archive that Orrery wrote");
  if (const std::string wanted = kept_apart(*state); !wanted.empty() && wanted != told(apart))
    throw usage_error("the archive " + in_quotes(name) + " is damaged", {}, "it lacks a part of " + wanted);
  if (const auto window = state->find("window"); window != state->end())
    std::erase_if(window->second, [](const auto& entry) { return entry.first == apart_key; });
  for (LongValue& each : apart) (*state)[each.table].emplace_back(std::move(each.key), std::move(each.value));
  return std::move(*state);
}

// ---- kinds of files

enum class Envelope { text, picture, archive };

Envelope envelope_of(const fs::path& path) {
  const std::string begin = read_beginning(path, 8);
  if (begin.starts_with("\x89PNG")) return Envelope::picture;
  return begin.starts_with(archive_signature) ? Envelope::archive : Envelope::text;
}

std::optional<std::string> recipe_text(const PngNotes& notes) {
  const auto text = notes.texts.find(state_keyword);
  return text != notes.texts.end() ? std::optional(text->second) : std::nullopt;
}

StateTables read_picture(const fs::path& path, std::size_t attachment, const FileProgress& progress) {
  const std::string name = path.string();
  const PngNotes notes =
      read_png_notes(path, {.keyword = state_keyword, .text = most_state_text, .attachment = attachment});
  const auto text = recipe_text(notes);
  if (!text) throw usage_error("there is no state in " + in_quotes(name), {}, "expected a .png file that Orrery wrote");
  if (notes.attachment.empty()) return parse_state(*text, name);
  try {
    return read_archive(byte_source(notes.attachment), name, progress);
  } catch (const Error& error) {  // another program has truncated it
    log(Level::warning, error.what());
    return parse_state(*text, name);
  }
}

StateTables read_archive_file(const fs::path& path, const FileProgress& progress) {
  InputFile file(path, {"a session", std::uint64_t{16} << 30, false});
  StateTables state = read_archive(byte_source(file), path.string(), progress);
  file.confirm_unchanged();
  return state;
}

bool has_state(const fs::path& archive) {
  InputFile file(archive, {"a session", std::uint64_t{16} << 30, false});
  bool found = false;
  ArchiveReader(byte_source(file), archive.string())
      .visit([&](const auto& member) { return (found = found || member.name == recipe_name, false); },
             [](const auto&, std::string_view) {});
  return found;
}

}  // namespace

Value state_value(const std::string& file, std::string_view key, const toml::node& node) {
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* whole = node.as_integer()) return whole->get();
  if (const auto* real = node.as_floating_point()) return real->get();
  if (const auto* text = node.as_string()) return text->get();
  throw usage_error("the key " + in_quotes(key) + " of a state must be a boolean, a number or a text", {}, {},
                    place_of(file, node.source()));
}

std::string shown_scene(const StateTables& state) { return window_text(state, shown_scene_key); }

void add_values(StateSection& section, std::span<const Parameter> parameters) {
  for (const Parameter& each : parameters) section.emplace_back(each.info().name, each.value());
}

const Value* value_of(const StateSection& section, std::string_view key) {
  const auto found = std::ranges::find(section, key, [](const auto& entry) { return std::string_view(entry.first); });
  return found != section.end() ? &found->second : nullptr;
}

std::string text_of(const StateSection& section, std::string_view key) {
  const Value* const value = value_of(section, key);
  const auto* const text = value != nullptr ? std::get_if<std::string>(value) : nullptr;
  return text != nullptr ? *text : std::string();
}

std::string window_text(const StateTables& state, std::string_view key) {
  const auto window = state.find("window");
  return window != state.end() ? text_of(window->second, key) : std::string();
}

FileOutline outline_of(const fs::path& path, const std::set<std::string, std::less<>>& named) {
  FileOutline outline{.path = path};
  switch (envelope_of(path)) {
    case Envelope::picture:
      outline.holds_state =
          recipe_text(read_png_notes(path, {.keyword = state_keyword, .text = most_state_text})).has_value();
      return outline;
    case Envelope::archive:
      outline.holds_state = has_state(path);
      return outline;
    default:
      break;
  }
  if (named.contains(path.extension().string())) return outline;
  try {
    for (const auto& [key, node] : parse_toml(read_file(path, session_kind), path.string()))
      (node.is_table()             ? outline.tables
       : node.is_array_of_tables() ? outline.lists
                                   : outline.values)
          .insert(std::string(key.str()));
  } catch (const Error&) {
    if (path.extension() == ".toml") throw;
  }
  outline.holds_state = !outline.tables.empty() && outline.lists.empty() && outline.values.empty();
  return outline;
}

StateTables read_state(const fs::path& path, const FileProgress& progress) {
  switch (envelope_of(path)) {
    case Envelope::picture:
      return read_picture(path, most_attachment, progress);
    case Envelope::archive:
      return read_archive_file(path, progress);
    default:
      break;
  }
  StateTables state = parse_state(read_file(path, session_kind), path.string());
  if (state.empty())
    throw usage_error("there is no state in " + in_quotes(path.string()), {},
                      "expected the table [window], or that of a scene");
  return state;
}

StateTables read_recipe(const fs::path& path) {
  return envelope_of(path) == Envelope::picture ? read_picture(path, 0, {}) : read_state(path);
}

StateTables parse_state(const std::string& text, const std::string& file) {
  const toml::table document = parse_toml(text, file);
  StateTables state;
  for (const auto& [name, node] : document) {
    const toml::table* table = node.as_table();
    if (table == nullptr)
      throw usage_error("the table of a state file", std::string(name.str()), "[window], or the table of a scene",
                        place_of(file, node.source()));
    require_plain(name, false, file);
    StateSection& section = state[std::string(name.str())];
    for (const auto& [key, value] : *table) {
      require_plain(key, value.is_number(), file);
      section.emplace_back(std::string(key.str()), state_value(file, key.str(), value));
    }
  }
  return state;
}

void write_state(const fs::path& path, const StateTables& state, const FileProgress& progress) {
  if (path.extension() == archive_extension)
    return write_file(path, [&](std::ostream& out) { write_archive(out, state, progress); });
  if (text_bytes(state) > session_kind.most_bytes)
    throw failure("the state is too large for the text file " + in_quotes(path.string()),
                  std::string("choose a name that ends with ") + archive_extension);
  write_file(path, state_text(state));
}

void write_session(const fs::path& path, const StateTables& state) {
  if (!is_large(state)) return write_file(path, state_text(state));
  write_file(path, [&](std::ostream& out) { write_archive(out, state, {}); });
}

bool is_large(const StateTables& state) { return text_bytes(state) > large_state; }

std::string tables_text(const StateTables& tables) { return toml_text(document_of(tables)) + "\n"; }

std::string state_text(const StateTables& state) { return std::string(first_line) + tables_text(state); }

StateTables merged(const StateTables& older, const StateTables& newer) {
  StateTables result = older;
  for (const auto& [name, section] : newer) {
    StateSection& target = result[name];
    for (const auto& [key, value] : section) {
      const auto found = std::ranges::find(target, key, [](const auto& entry) { return entry.first; });
      if (found != target.end()) {
        found->second = value;
      } else {
        target.emplace_back(key, value);
      }
    }
  }
  return result;
}

std::string kept_apart(const StateTables& state) { return window_text(state, apart_key); }

ImageTexts state_texts(const StateTables& state) {
  return {{"Software", "Orrery " ORRERY_VERSION},
          {state_keyword, std::string(first_line) + ascii_toml_text(document_of(state)) + "\n"}};
}

PictureState picture_state(StateTables state) {
  StateTables recipe = state;
  const auto short_enough = [&] { return state_texts(recipe)[state_keyword].size() <= longest_recipe; };
  std::vector<LongValue> apart = take_long_values(recipe, longest_recipe);
  for (std::size_t longest = longest_recipe / 2; !short_enough() && longest > 100; longest /= 2)
    std::ranges::move(take_long_values(recipe, longest), std::back_inserter(apart));
  if (apart.empty()) return {state_texts(recipe), {}, {}};
  recipe["window"].emplace_back(apart_key, told(apart));
  PictureState result{state_texts(recipe), {}, {}};
  std::ostringstream archive;
  if (text_bytes(state) < 4 * most_attachment) write_archive(archive, std::move(state), {});
  if (const std::size_t size = archive.view().size(); size > 0 && size <= most_attachment)
    result.attachment = std::move(archive).str();
  else
    result.left_out = told(apart);
  return result;
}

}  // namespace orrery
