/// Bodies in files: exact in both directions, and every error names its place.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <limits>
#include <span>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/checksum.hpp"
#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/npy.hpp"
#include "base/files/table_text.hpp"
#include "base/little_endian.hpp"
#include "base/text.hpp"
#include "scenes/nbody/bodies/body_columns.hpp"
#include "scenes/nbody/bodies/body_file.hpp"
#include "scenes/nbody/bodies/body_reading.hpp"
#include "scenes/nbody/files/run_state.hpp"
#include "scenes/nbody/model/diagnostics.hpp"
#include "scenes/nbody/model/settings.hpp"
#include "scratch.hpp"

using namespace orrery;

namespace {

struct TemporaryFile {
  explicit TemporaryFile(const char* name) : path(scratch(name)) {}
  ~TemporaryFile() { std::filesystem::remove(path); }
  std::filesystem::path path;
};

const Bodies awkward{{1, 0.1, -1.0 / 3, 1e-300, -0.0, 5e-324, std::numeric_limits<double>::max()},
                     {0, 1 + 0x1p-52, 2, 3, 4, 5, 6}};

std::string refusal(std::string_view csv) {
  try {
    (void)parse_bodies_csv(csv, "stars.csv");
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    return error.what();
  }
  return "accepted";
}

constexpr std::string_view header = "mass,x,y,z,vx,vy,vz\n";
std::string with_header(std::string_view rows) { return std::string(header) + std::string(rows); }

}  // namespace

TEST(NbodyFile, CsvGivesBackTheSameBits) {
  const TemporaryFile file("orrery_bodies_test.csv");
  write_bodies(file.path, awkward);
  EXPECT_EQ(read_bodies(file.path), awkward);
}

TEST(NbodyFile, NpyGivesBackTheSameBits) {
  const TemporaryFile file("orrery_bodies_test.npy");
  write_bodies(file.path, awkward);
  EXPECT_EQ(read_bodies(file.path), awkward);
}

// Files are read and written in pieces of 4 MiB.
TEST(NbodyFile, FilesOfSeveralPiecesGiveBackTheSameBits) {
  Bodies many(130'000);
  for (std::size_t i = 0; i < many.size(); ++i) {
    const auto x = static_cast<double>(static_cast<float>(i) / 3);
    many[i] = {1 + x, x, -x, 0.5 * x, 0, x, 1};
  }
  for (const char* name : {"pieces.npy", "pieces.tipsy", "pieces.csv"}) {
    const TemporaryFile file(name);
    std::vector<double> written, read;
    write_bodies(file.path, many, {}, [&](double part) { written.push_back(part); });
    const Bodies back = read_bodies(file.path, [&](double part) { read.push_back(part); });
    EXPECT_TRUE(std::ranges::equal(back, many, [](const Body& a, const Body& b) {
      return a.x == b.x && a.vx == b.vx && static_cast<float>(a.mass) == static_cast<float>(b.mass);
    })) << name;
    EXPECT_GT(written.size(), 1U) << name;
    EXPECT_TRUE(std::ranges::is_sorted(written)) << name;
    EXPECT_EQ(written.back(), 1) << name;
    EXPECT_GT(read.size(), 1U) << name;
    EXPECT_TRUE(std::ranges::is_sorted(read)) << name;
    EXPECT_EQ(read.back(), 1) << name;
  }
}

namespace {

Bodies many_bodies() { return Bodies(130'000, Body{1, 0.1, 1.0 / 3, 3, 4, 5, 6}); }

// The error for a file that `change` modifies after its first piece was read.
std::string refusal_of_changed(const std::filesystem::path& path, const std::function<void()>& change) {
  try {
    (void)read_bodies(path, [&, changed = false](double) mutable {
      if (!std::exchange(changed, true)) change();
    });
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST(NbodyFile, RefusesAFileThatIsChangedWhileItIsRead) {
  for (const char* name : {"changed.npy", "changed.tipsy", "changed.csv"}) {
    const TemporaryFile file(name);
    write_bodies(file.path, many_bodies());
    EXPECT_EQ(refusal_of_changed(file.path, [] {}), "accepted") << name;
    const std::string shortened = refusal_of_changed(
        file.path, [&] { std::filesystem::resize_file(file.path, std::filesystem::file_size(file.path) / 2 - 3); });
    EXPECT_NE(shortened.find(name), std::string::npos) << shortened;
    write_bodies(file.path, many_bodies());
    const std::string rewritten = refusal_of_changed(file.path, [&] {
      std::fstream stream(file.path, std::ios::in | std::ios::out | std::ios::binary);
      stream.put(static_cast<char>(stream.peek()));  // the same bytes, written again
    });
    EXPECT_NE(rewritten.find("it was changed while it was read"), std::string::npos) << rewritten;
  }
}

TEST(NbodyFile, NamesTheRowOfAFaultBeyondTheFirstPiece) {
  const TemporaryFile file("late.csv");
  write_bodies(file.path, many_bodies());
  std::ofstream(file.path, std::ios::app) << "1,2,3,4,5,6,seven\n";
  EXPECT_NE(refusal_of_changed(file.path, [] {}).find("late.csv:130002:13: vz"), std::string::npos)
      << refusal_of_changed(file.path, [] {});
  std::ofstream(file.path, std::ios::trunc) << header << std::string(5 << 20, '1');
  EXPECT_NE(refusal_of_changed(file.path, [] {}).find("late.csv:2:"), std::string::npos);
}

// Only the headers of these files are valid.
TEST(NbodyFile, IsInspectedWithoutItsRows) {
  const TemporaryFile npy("rows.npy"), tipsy("rows.tipsy"), csv("rows.csv"), wrong("wrong.csv");
  write_file(npy.path, npy_header(std::array<std::size_t, 2>{3, 7}) + std::string(3 * 56, '\xff'));
  write_bodies(tipsy.path, Bodies(5));
  const std::string header_of_five = read_file(tipsy.path, {"bodies", 1000, false}).substr(0, TipsyHeader::bytes);
  write_file(tipsy.path, header_of_five + std::string(5 * 36, '\xff'));
  write_file(csv.path, with_header("no number\n"));
  write_file(wrong.path, "mass,y,z\n");
  EXPECT_EQ(inspect_bodies(npy.path), 3U);
  EXPECT_EQ(inspect_bodies(tipsy.path), 5U);
  EXPECT_EQ(inspect_bodies(csv.path), std::nullopt);
  EXPECT_THROW((void)inspect_bodies(wrong.path), Error);
  EXPECT_THROW((void)inspect_bodies(scratch("nowhere.npy")), Error);
}

TEST(BodyReading, ReadsAFileOnceForAllThatNeedIt) {
  const TemporaryFile file("once.csv");
  write_bodies(file.path, many_bodies());
  BodyReading reading(file.path.string());
  std::atomic<int> beginnings = 0;
  const auto read = [&] {
    return std::async(std::launch::async, [&] {
      return reading
          .bodies([&, before = 1.0](double part) mutable { beginnings += std::exchange(before, part) >= part; })
          .size();
    });
  };
  std::future<std::size_t> first = read(), second = read();
  EXPECT_EQ(first.get() + second.get(), 2 * many_bodies().size());
  EXPECT_EQ(beginnings, 1);
  std::filesystem::remove(file.path);
  EXPECT_EQ(reading.bodies().size(), many_bodies().size());
}

TEST(BodyReading, EndsWhenCancelledAndReportsItsProgress) {
  const TemporaryFile file("cancelled.csv");
  write_bodies(file.path, many_bodies());
  BodyReading reading(file.path.string());
  std::string status;
  EXPECT_THROW((void)reading.bodies([&](double) {
    status = reading.progress().status();
    reading.progress().cancel();
  }),
               ReadingCancelled);
  EXPECT_TRUE(status.starts_with("reading ") && status.find("cancelled.csv: ") != status.npos && status.ends_with(" %"))
      << status;
  EXPECT_TRUE(reading.failed());
  EXPECT_THROW((void)reading.bodies(), ReadingCancelled);
}

TEST(NbodyFile, ACancelledWriteLeavesTheOldFileAndNothingElse) {
  const std::filesystem::path folder = scratch("given-up");
  std::filesystem::create_directories(folder);
  for (const char* name : {"old.npy", "old.tipsy", "old.csv"}) {
    const std::filesystem::path path = folder / name;
    write_bodies(path, {{1, 2, 3, 4, 5, 6, 7}});
    const std::string before = read_file(path, {"a file", 1 << 20, false});
    const auto give_up = [](double) { throw std::runtime_error("given up"); };
    EXPECT_THROW(write_bodies(path, Bodies(100'000, Body{1, 1, 1, 1, 1, 1, 1}), {}, give_up), std::runtime_error);
    EXPECT_EQ(read_file(path, {"a file", 1 << 20, false}), before) << name;
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()), 3);
  std::filesystem::remove_all(folder);
}

namespace {

// The error for a file with these bytes.
std::string npy_refusal(const std::string& bytes) {
  const TemporaryFile file("refused.npy");
  write_file(file.path, bytes);
  try {
    (void)read_bodies(file.path);
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    return error.what();
  }
  return "accepted";
}

std::string npy_of(const std::vector<std::size_t>& shape, std::size_t values, double value = 1) {
  std::string bytes = npy_header(shape);
  for (std::size_t i = 0; i < values; ++i) append_little_endian(bytes, value);
  return bytes;
}

}  // namespace

TEST(NbodyFile, RefusesNpyFilesThatAreNoTablesOfBodies) {
  EXPECT_EQ(npy_refusal(npy_of({2, 7}, 14)), "accepted");
  EXPECT_NE(npy_refusal(npy_of({2, 7}, 13)).find("expected 112 bytes by its shape, got \"104 bytes\""),
            std::string::npos)
      << npy_refusal(npy_of({2, 7}, 13));
  EXPECT_NE(npy_refusal(npy_of({2, 7}, 15)).find("120 bytes"), std::string::npos);
  EXPECT_NE(npy_refusal(npy_of({7, 2}, 14)).find("expected N x 7"), std::string::npos);
  EXPECT_NE(npy_refusal(npy_of({14}, 14)).find("expected N x 7"), std::string::npos);
  EXPECT_NE(npy_refusal(npy_of({0, 7}, 0)).find("no bodies"), std::string::npos);
  std::string other = npy_of({2, 7}, 14);
  EXPECT_NE(npy_refusal(other.replace(other.find("<f8"), 3, "|b1")).find("got \"112 bytes\""), std::string::npos);
  EXPECT_NE(npy_refusal(other.substr(0, 50)).find("ends in its header"), std::string::npos);
  std::string broken = npy_header(std::array<std::size_t, 2>{2, 7});
  for (int i = 0; i < 14; ++i) append_little_endian(broken, i == 10 ? std::nan("") : 1.0);
  EXPECT_NE(npy_refusal(broken).find(":2:4: z: expected a finite number, got \"nan\""), std::string::npos)
      << npy_refusal(broken);
}

// Read in pieces of 4 MiB; the numbers are halves, which are exact in floats.
TEST(NbodyFile, ReadsLargeArraysOfOtherTypesInBothOrders) {
  const TemporaryFile file("other.npy");
  Bodies many(170'000);
  for (std::size_t i = 0; i < many.size(); ++i) {
    const double x = 0.5 * static_cast<double>(i);
    many[i] = {x, -x, x + 1, x + 2, x + 3, x + 4, x + 5};
  }
  for (const bool by_columns : {false, true}) {
    std::string bytes = npy_header(std::array<std::size_t, 2>{many.size(), 7});
    bytes.replace(bytes.find("<f8"), 3, ">f4");
    if (by_columns) bytes.replace(bytes.find("False"), 5, "True ");
    const auto append = [&](std::size_t row, std::size_t column) {
      const Body& b = many[row];
      const std::array values{b.mass, b.x, b.y, b.z, b.vx, b.vy, b.vz};
      const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(values[column]));
      for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(bits >> shift & 0xff);
    };
    for (std::size_t i = 0; i < many.size() * 7; ++i)
      by_columns ? append(i % many.size(), i / many.size()) : append(i / 7, i % 7);
    write_file(file.path, bytes);
    std::vector<double> read;
    EXPECT_TRUE(read_bodies(file.path, [&](double part) { read.push_back(part); }) == many) << by_columns;
    EXPECT_GT(read.size(), 1U);
    EXPECT_TRUE(std::ranges::is_sorted(read));
  }
}

// The array's size is compared with the file's before anything is read or allocated.
TEST(NbodyFile, RefusesMoreBodiesThanAreAllowedAtOnce) {
  const TemporaryFile file("many.npy");
  constexpr std::size_t many = most_in_a_set + 1;
  const std::string header = npy_header(std::array<std::size_t, 2>{many, 7});
  write_file(file.path, header);
  std::filesystem::resize_file(file.path, header.size() + many * 56);
  try {
    (void)read_bodies(file.path);
    ADD_FAILURE() << "read it";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("at most 67108864"), std::string::npos) << error.what();
  }
}

TEST(NbodyFile, CsvHasSeventeenDigitsAndTheHeader) {
  const TemporaryFile file("orrery_digits_test.csv");
  write_bodies(file.path, {{0.1, 1, 0, 0, 0, 0, 0}});
  EXPECT_EQ(read_file(file.path).substr(0, header.size() + 20), with_header("0.10000000000000001,"));
}

TEST(NbodyFile, AcceptsSpacesAndOtherLineEnds) {
  EXPECT_EQ(parse_bodies_csv("mass,x,y,z,vx,vy,vz\r\n 1, 2,3 ,4,5,6,7\r\n", "stars.csv").front(),
            (Body{1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(parse_bodies_csv(with_header("1,2,3,4,5,6,7"), "stars.csv").size(), 1U);
  const std::string with_blanks =
      "\xEF\xBB\xBFmass,x,y,z,vx,vy,vz\r\n\r\n1,2,3,4,5,6,7\r\n \r\n8,2,3,4,5,6,7\r\n\r\n\r\n";
  EXPECT_EQ(parse_bodies_csv(with_blanks, "stars.csv").size(), 2U);
}

TEST(NbodyFile, CountsBlankLinesInThePlaceOfAFault) {
  const std::string message = refusal(with_header("\n1,2,3,4,5,6,7\n\n1,2\n"));
  EXPECT_NE(message.find("stars.csv:5:3: a row with 2 values: expected 7 values"), std::string::npos) << message;
}

TEST(NbodyFile, NamesLineColumnAndValue) {
  const std::string message = refusal(with_header("1,2,3,4,5,6,7\n1,2,three,4,5,6,7\n"));
  EXPECT_NE(message.find("stars.csv:3:5"), std::string::npos) << message;
  EXPECT_NE(message.find("\"three\""), std::string::npos) << message;
}

TEST(NbodyFile, RefusesInvalidBodies) {
  EXPECT_NE(refusal(with_header("nan,2,3,4,5,6,7")).find(":2:1"), std::string::npos);
  EXPECT_NE(refusal(with_header("1,inf,3,4,5,6,7")).find(":2:3"), std::string::npos);
  EXPECT_NE(refusal(with_header("-1,2,3,4,5,6,7")).find("\"-1\""), std::string::npos);
  EXPECT_NE(refusal(with_header("1,2,3,4,5,6")).find(":2:"), std::string::npos);
  EXPECT_NE(refusal(with_header("1,2,3,4,5,6,7,8")).find(":2:15: a row with 8 values"), std::string::npos);
  EXPECT_NE(refusal(with_header("1,2,3,,5,6,7")).find(":2:7: z: expected a finite number, got \"\""),
            std::string::npos);
  EXPECT_NE(refusal(with_header("1e999,2,3,4,5,6,7")).find(":2:1"), std::string::npos);
  EXPECT_NE(refusal("").find("stars.csv"), std::string::npos);
  EXPECT_NE(refusal(header).find("no bodies"), std::string::npos);
  EXPECT_NE(refusal("x,z\n1,2\n").find(":1:1"), std::string::npos);
}

namespace {

std::string understood_of(std::string_view csv) {
  std::string understood;
  (void)parse_bodies_csv(csv, "stars.csv", &understood);
  return understood;
}

}  // namespace

TEST(NbodyFile, NamesOfColumnsStandForValues) {
  for (const char* name : {"mass", "Mass", "m", "MASSE", " m [kg] ", "mass (solar)", "masses"})
    EXPECT_EQ(body_value_named(name), 0U) << name;
  for (const char* name :
       {"y", "Y", "pos_y", "Y [AU]", "y_pos", "position.y", "Position (y)", "pos[1]", "r_y", "coord1"})
    EXPECT_EQ(body_value_named(name), 2U) << name;
  for (const char* name : {"vz", "VZ", "v_z", "vel_z", "z velocity", "v[2]", "vel2", "Velocity Z (km/s)"})
    EXPECT_EQ(body_value_named(name), 6U) << name;
  for (const char* name :
       {"", "id", "name", "time", "ax", "px", "r", "v", "v0", "r0", "x0", "0", "[0]", "mass_x", "axis", "xyz", "1.5"})
    EXPECT_EQ(body_value_named(name), std::nullopt) << name;
}

TEST(NbodyFile, ReportsItsInterpretation) {
  EXPECT_EQ(understood_of(with_header("1,2,3,4,5,6,7\n")), "");
  EXPECT_EQ(understood_of("id;Masse;X;Y\n1;1,5;2;3\n"),
            "3 of 4 columns read (not id); z, velocities missing: 0 each; decimal comma");
  EXPECT_EQ(understood_of("m;x;y\n1 000;2 500,5;-3 000 000\n"),
            "3 of 3 columns read; z, velocities missing: 0 each; decimal comma");
  EXPECT_EQ(parse_bodies_csv("m;x;y\n1 000;2 500,5;-3 000 000\n", "stars.csv"),
            (Bodies{{1000, 2500.5, -3e6, 0, 0, 0, 0}}));
  EXPECT_EQ(understood_of("m [kg] x [AU] y [AU]\n1 2 3\n"),
            "3 of 3 columns read; units (kg, AU) not converted: G is 1; z, velocities missing: 0 each");
  EXPECT_EQ(understood_of("1 2 3 4 5 6 7\n"), "no header: read as mass,x,y,z,vx,vy,vz");
}

// Pieces of a file may end within a character or between \r and \n.
TEST(NbodyFile, TextsInPiecesAreTheSameTexts) {
  std::string wide = "\xFF\xFE";
  for (const char c : std::string_view("m;x;y;n\r\n1,5;2;3;a\r\r\n4;5;6;")) wide += {c, '\0'};
  wide += std::string_view("\x3C\xD8\x0C\xDF", 4);  // a character of two UTF-16 units
  const Bodies two{{1.5, 2, 3, 0, 0, 0, 0}, {4, 5, 6, 0, 0, 0, 0}};
  EXPECT_EQ(parse_bodies_csv(wide, "wide.csv"), two);
  const auto in_pieces = [&](std::size_t first) {
    struct Rows final : TableRows {
      std::string expected() const override { return "columns"; }
      std::size_t known(std::span<const std::string> names) const override { return names.size() == 4 ? 4 : 0; }
      std::vector<std::string> usual_names(std::size_t) const override { return {}; }
      std::vector<TableColumn> begin(std::span<const std::string> names, bool, const TextPlace&) override {
        return {{names[0], TableColumn::Cells::numbers}, {names[1]}, {names[2]}, {names[3], TableColumn::Cells::words}};
      }
      void row(std::span<const double> numbers, std::span<const std::string_view> words, const TextPlace& at) override {
        said += shortest(numbers[0]) + std::string(words[3]) + std::to_string(at.line) + " ";
      }
      void amend(std::size_t, std::size_t, double) override {}
      std::string said;
    } rows;
    TableText table("wide.csv", rows);
    table.add(std::string_view(wide).substr(0, first));
    table.add(std::string_view(wide).substr(first));
    table.finish();
    return rows.said;
  };
  for (std::size_t first = 2; first < wide.size(); ++first) EXPECT_EQ(in_pieces(first), "1.5a2 4\U0001F30C4 ") << first;
}

TEST(NbodyFile, LaterNumbersDecideTheMeaningOfEarlierOnes) {
  const std::string late = "m;x;y\n1,234;5.000,5;1\n1;2,5;3\n";
  EXPECT_EQ(parse_bodies_csv(late, "late.csv").front(), (Body{1.234, 5000.5, 1, 0, 0, 0, 0}));
  EXPECT_NE(refusal("m;x;y\n-1,234;1;1\n").find("two meanings, -1234 and -1.234"), std::string::npos);
  EXPECT_NE(refusal("m;x;y\n-1,234;1,5;1\n").find(":2:1: m: expected a finite number of 0 or more, got \"-1,234\""),
            std::string::npos);
  EXPECT_NE(refusal("m;x;y\n1.234;1,5;1\n").find("two meanings"), std::string::npos) << "no groups are proved";
}

TEST(NbodyFile, RefusesOtherKindsOfFiles) {
  EXPECT_THROW((void)read_bodies("bodies.doc"), Error);
  EXPECT_THROW(check_bodies_extension("bodies.txt"), Error);
  EXPECT_NO_THROW(check_bodies_extension("bodies.csv"));
}

TEST(NbodyDiagnosticsRow, HasTheColumnsInTheirOrder) {
  NbodyDiagnostics row;
  row.step = 3;
  row.time = 0.5;
  row.kinetic = 1;
  row.potential = -4;
  row.momentum = {1, 2, 3};
  row.angular_momentum = {4, 5, 6};
  row.hash = 48213907;
  EXPECT_EQ(csv_header_of_diagnostics(), "step,time,kinetic,potential,total,px,py,pz,lx,ly,lz,virial,hash");
  EXPECT_EQ(csv_row(row), "3,0.5,1,-4,-3,1,2,3,4,5,6,0.5,48213907");
}

namespace {

NbodyRunState run_of_three() {
  NbodySettings settings;
  settings.bodies = 3;
  settings.dt = 0.25;
  settings.softening = 0.5;
  NbodyRunState state{.settings = {}, .bodies = 3, .clock = {4, 4 * settings.dt}, .hash = 12345678, .exact = {0.5}};
  add_values(state.settings, parameters(settings, true));
  allocate_rows(state);
  for (std::vector<std::byte>& row : state.exact.rows)
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<std::byte>(i);
  return state;
}

std::string bytes_of(const NbodyRunState& state) {
  std::ostringstream out;
  write_run_state(out, state);
  return out.str();
}

// The format before there was a checksum.
std::string in_old_format(const NbodyRunState& state, const std::string& header) {
  std::string text = "orrery-run 1 " + std::to_string(header.size());
  text.resize(31, ' ');
  text += "\n" + header;
  for (const std::vector<std::byte>& row : state.exact.rows)
    text.append(reinterpret_cast<const char*>(row.data()), row.size());
  return text;
}

std::string with(std::string text, std::string_view part, std::string_view by) {
  return text.replace(text.find(part), part.size(), by);
}

}  // namespace

TEST(NbodyRunState, IsRefusedWithAnyBitChanged) {
  const std::string good = bytes_of(run_of_three());
  EXPECT_EQ(bytes_of(parse_run_state(good, "run.state")), good);
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ 1 << bit % 8);
    EXPECT_THROW((void)parse_run_state(bad, "run.state"), Error) << "bit " << bit % 8 << " of byte " << bit / 8;
  }
}

TEST(NbodyRunState, OpensInTheOldFormatAndIsWrittenInTheNewOne) {
  const NbodyRunState state = run_of_three();
  const NbodyRunState old = parse_run_state(in_old_format(state, header_of(state)), "run.state");
  EXPECT_FALSE(old.is_proved);
  EXPECT_TRUE(parse_run_state(bytes_of(old), "run.state").is_proved);
  EXPECT_EQ(bytes_of(old), bytes_of(state));
}

namespace {

// An earlier format, with FNV-1a in the first line.
std::string in_format_with_fnv(const NbodyRunState& state) {
  const std::string header = header_of(state);
  std::string rest = header;
  for (const std::vector<std::byte>& row : state.exact.rows)
    rest.append(reinterpret_cast<const char*>(row.data()), row.size());
  std::string line =
      "orrery-run " + std::string(state.of_window ? "3 " : "2 ") + std::to_string(header.size()) + " " + fnv1a(rest);
  line.resize(63, ' ');
  return line + "\n" + rest;
}

}  // namespace

TEST(NbodyRunState, OpensInFormatsWithAnotherChecksumAndProvesThem) {
  NbodyRunState state = run_of_three();
  for (const bool of_window : {false, true}) {
    if (of_window) {
      state.of_window = WindowMoment{};
      state.hash = 0;
      state.exact = {};
      allocate_rows(state);
    }
    const std::string old = in_format_with_fnv(state);
    const NbodyRunState read = parse_run_state(old, "run.state");
    EXPECT_TRUE(read.is_proved);
    EXPECT_EQ(bytes_of(read), bytes_of(state));
    for (const std::size_t at : {std::size_t{5}, std::size_t{30}, std::size_t{70}, old.size() - 1}) {
      std::string bad = old;
      bad[at] = static_cast<char>(bad[at] ^ 1);
      EXPECT_THROW((void)parse_run_state(bad, "run.state"), Error) << at;
    }
    EXPECT_THROW(
        (void)parse_run_state(with(old, of_window ? "run 3" : "run 2", of_window ? "run 2" : "run 3"), "run.state"),
        Error);
  }
}

TEST(NbodyRunState, IsWrittenWithoutItsRowsInMemory) {
  NbodyRunState state = run_of_three();
  const std::string whole = bytes_of(state);
  const std::vector<std::vector<std::byte>> rows = std::exchange(state.exact.rows, {});
  std::ostringstream out;
  write_run_state(out, state, [&](std::size_t row, std::size_t offset, std::span<std::byte> into) {
    std::copy_n(rows.at(row).begin() + static_cast<std::ptrdiff_t>(offset), into.size(), into.begin());
  });
  EXPECT_EQ(out.str(), whole);
  EXPECT_THROW(
      write_run_state(out, state, [](std::size_t, std::size_t, std::span<std::byte>) { throw failure("lost"); }),
      Error);
}

TEST(Checksum, IsXxh64OfAllPieces) {
  const auto sum_of = [](std::string_view text, std::size_t piece) {
    Xxh64 sum;
    for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) sum.add(text.substr(0, piece));
    return sum.text();
  };
  std::string all;
  for (int k = 0; k < 256; ++k) all.push_back(static_cast<char>(k));
  // Computed by the package xxhash of PyPI, version 4.1.0.
  const std::vector<std::pair<std::string, std::string>> known{
      {"", "ef46db3751d8e999"},
      {"a", "d24ec4f1a98c6e5b"},
      {"Nobody inspects the spammish repetition", "fbcea83c8a378bf1"},
      {all, "1facbe8406cd904b"}};
  for (const auto& [text, sum] : known)
    for (const std::size_t piece : {1, 3, 31, 32, 33, 1000})
      EXPECT_EQ(sum_of(text, piece), sum) << text << " by " << piece;
}

TEST(NbodyFile, NamesTheFirstWrongRowOfALargeArray) {
  const TemporaryFile file("many.npy");
  std::vector<double> values(7 * 400'000, 1);
  for (const std::size_t row : {399'999U, 250'000U, 123'456U}) values[7 * row + 2] = std::nan("");
  write_npy(file.path, std::array<std::size_t, 2>{values.size() / 7, 7}, values);
  try {
    (void)read_bodies(file.path);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("many.npy:123457:3: y: expected a finite number"), std::string::npos)
        << error.what();
  }
}

TEST(NbodyRunState, HasTwoTablesOfKnownKeysAndPossibleValues) {
  const NbodyRunState state = run_of_three();
  const std::string header = header_of(state);
  const std::vector<std::pair<std::string, std::string>> changes{{"[nbody]", "[nbndy]"},
                                                                 {"[nbody]", "[more]\na = 1\n[nbody]"},
                                                                 {"softening =", "softenimg ="},
                                                                 {"seed = 1\n", ""},
                                                                 {"step = 4", "step = 4\nmore = 1"},
                                                                 {"time = 1.0", "time = nan"},
                                                                 {"time = 1.0", "time = 99"},
                                                                 {"dt = 0.25", "dt = 0.5"},
                                                                 {"dt = 0.25", "dt = inf"},
                                                                 {"softening = 0.5", "softening = 0.25"},
                                                                 {"tree-error = 0.0", "tree-error = -1"},
                                                                 {"precision = 'single'", "precision = 'half'"},
                                                                 {"variant = 'auto'", "variant = 'x: y 3'"},
                                                                 {"version = '", "version = '9"},
                                                                 {"version = '", "version = 'x"}};
  for (const auto& [part, by] : changes)
    EXPECT_THROW((void)parse_run_state(in_old_format(state, with(header, part, by)), "run.state"), Error) << by;
  for (const char* other : {"run 1", "run 2", "run 3", "run 5"})
    EXPECT_THROW((void)parse_run_state(with(bytes_of(state), "run 4", other), "run.state"), Error) << other;
}
