/// Worlds in files: their contents, and errors with their place.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "scenes/particles/files/world_file.hpp"
#include "scenes/particles/laws/law_text.hpp"
#include "scenes/particles/laws/laws.hpp"
#include "scenes/particles/model/observables.hpp"
#include "scenes/particles/world/shapes.hpp"
#include "scratch.hpp"

using namespace orrery;
using namespace orrery::particles;

namespace {

std::string world_refusal(const std::string& text) {
  try {
    parse_world(text, "mine.toml");
    return {};
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    return error.what();
  }
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string fluid_text =
    "[box]\nlengths = 10\n[[fill]]\nshape = \"lattice\"\ncount = 100\n[[pair]]\nlaw = \"lennard-jones\"\n";

}  // namespace

TEST(ParticleWorlds, ShippedOnesAreRead) {
  const auto worlds = known_worlds();
  EXPECT_GE(worlds.size(), 6u);
  for (const WorldEntry& entry : worlds) {
    const World world = read_world(entry.file);
    EXPECT_GE(world.particles.size(), 1000u) << entry.name;
    EXPECT_FALSE(entry.about.empty()) << entry.name;
    // At distance 0 their formulas have the limits of their laws.
    EXPECT_EQ(pair_law_text(world).find("AT_ONE_PLACE"), std::string::npos) << entry.name << pair_law_text(world);
  }
  const World water = read_world(find_world("water"));
  EXPECT_EQ(water.particles.size(), 3u * 4096);
  EXPECT_EQ(water.constraints.size(), 3u * 4096);
  EXPECT_EQ(exclusions_of(water).size(), 3u * 4096);
  EXPECT_THROW(find_world("no such world"), Error);
}

TEST(ParticleWorlds, AreReadAsTheyAreWritten) {
  World world = parse_world(
      "seed = 9\n[[kind]]\nname = \"a\"\ncharge = 1\nsize = 2\n[[kind]]\nname = \"b\"\nmass = 3\n[[fill]]\nshape = "
      "\"chain\"\n"
      "kinds = [\"a\", \"b\"]\nlength = 12\n[[pair]]\nname = \"mine\"\nsnippet = \"energy += k * size1 * r;\\ndEdR += "
      "k * size1;\"\n"
      "parameters = { k = { value = 2, minimum = 1, maximum = 3, unit = \"x\" } }\n[[group]]\nlaw = "
      "\"harmonic-bond\"\nrest = \"r0\"\n"
      "[ensemble]\nthermostat = \"langevin\"\nfinal_temperature = 0.25\nramp_time = 7\n[view]\ncolor = \"charge\"\nbox "
      "= false\n",
      "mine.toml");
  const World again = parse_world(world_text(world), "again.toml");
  EXPECT_EQ(again, world);
  EXPECT_EQ(again.groups.front().size(), 11u);
  EXPECT_NEAR(again.groups.front().values.front(), 0.97, 1e-12);
}

TEST(ParticleWorlds, ReadTablesOfSpreadsheets) {
  const auto folder = scratch("spreadsheet");
  std::filesystem::create_directory(folder);
  write_file(folder / "table.csv",
             "\xEF\xBB\xBFx;y;z;kind;charge\r\n1,5;1,250;0;b;-1\r\n\r\n# more\r\n2;0;0;a;0,5\r\n");
  write_file(folder / "table.toml",
             "[[kind]]\nname = \"a\"\n[[kind]]\nname = \"b\"\n[[fill]]\nshape = \"file\"\nfile = \"table.csv\"\n");
  const World world = read_world(folder / "table.toml");
  std::filesystem::remove_all(folder);
  EXPECT_EQ(world.particles.kind, (std::vector<std::uint32_t>{1, 0}));
  EXPECT_EQ(world.particles.charge, (std::vector<double>{-1, 0.5}));
  EXPECT_EQ(world.particles.position, (std::vector<Vector>{{1.5, 1.25, 0}, {2, 0, 0}}));
}

TEST(ParticleWorlds, KeepThePropertiesOfEachParticle) {
  const auto folder = scratch("world");
  std::filesystem::create_directory(folder);
  write_file(folder / "table.csv",
             "x,y,z,vx,mass,radius,kind,my_column,size\n"
             "0,0,0,1,2.5,7,b,-1,3\n"
             "1,0,0,2,0.5,8,a,-2,3\n"
             "2,0,0,3,1.5,9,b,-3,3\n");
  write_file(folder / "table.toml",
             "[[kind]]\nname = \"a\"\ncharge = 1\n[[kind]]\nname = \"b\"\ncharge = -1\n[[kind]]\nname = \"none\"\n"
             "[[fill]]\nshape = \"file\"\nfile = \"table.csv\"\n");
  const World world = read_world(folder / "table.toml");
  std::filesystem::remove_all(folder);
  EXPECT_EQ(world.particles.kind, (std::vector<std::uint32_t>{1, 0, 1}));
  EXPECT_EQ(world.particles.charge, (std::vector<double>{-1, 1, -1})) << "of their kinds";
  EXPECT_EQ(world.particles.mass, (std::vector<double>{2.5, 0.5, 1.5}));
  World again = parse_world(world_text(world), "again.toml");
  EXPECT_EQ(again.kinds, world.kinds);
  std::ranges::sort(again.particles.columns, {}, &Column::name);
  World sorted = world;
  std::ranges::sort(sorted.particles.columns, {}, &Column::name);
  EXPECT_EQ(again.particles, sorted.particles);
}

TEST(ParticleWorlds, ShapesFollowTheirLawAndAreKept) {
  const std::string laws =
      "[[group]]\nname = \"ball\"\nmembers = 1\nsnippet = \"energy += k;\"\n"
      "parameters = { k = 2, radius = { value = 7, minimum = 1, maximum = 9 } }\n";
  const std::string shapes =
      "[[draw]]\nshape = \"sphere\"\nradius = \"ball.radius\"\n[[draw]]\nshape = \"plane\"\n"
      "center = [0, 1, -2]\nnormal = [0, 2, 0]\nsize = 4\ncolor = \"#102030\"\n[[draw]]\nshape = "
      "\"cylinder\"\nradius = 1\nlength = 6\n[[draw]]\nshape = \"box\"\nlengths = [1, 2, 3]\n";
  const World world = parse_world("[[fill]]\nshape = \"random\"\ncount = 2\nsize = 1\n" + laws + shapes, "mine.toml");
  ASSERT_EQ(world.shapes.size(), 4u);
  EXPECT_EQ(parse_world(world_text(world), "again.toml").shapes, world.shapes);
  const LawParameter grown{"radius", 8.5};
  const auto now = solid_shapes(world.shapes, [&](const std::string& law, const std::string& name) {
    return law == "ball" && name == "radius" ? &grown : nullptr;
  });
  EXPECT_EQ(now[0].size, (Vector{8.5, 8.5, 8.5}));
  EXPECT_EQ(now[1].axis, (Vector{0, 1, 0}));
  EXPECT_EQ(now[1].color, (Color{16, 32, 48}));
  EXPECT_EQ(now[2].size, (Vector{1, 1, 3}));
  EXPECT_EQ(now[3].size, (Vector{0.5, 1, 1.5}));
}

TEST(ParticleWorlds, ShapesAndColoursAreRefusedWithTheirPlace) {
  const std::string shape = "[[fill]]\nshape = \"random\"\ncount = 2\nsize = 1\n[[draw]]\nshape = \"sphere\"\n";
  EXPECT_TRUE(has(world_refusal(shape), "mine.toml:5:1: the key radius of a shape is missing"));
  EXPECT_TRUE(has(world_refusal(shape + "radius = 0\n"), "mine.toml:7:10: radius"));
  EXPECT_TRUE(has(world_refusal(shape + "radius = 1e7\n"), "at most 1e6"));
  EXPECT_TRUE(has(world_refusal(shape + "radius = \"wall.r\"\n"), "mine.toml:7:10: radius"));
  EXPECT_TRUE(has(world_refusal(shape + "radius = 1\ncenter = [0, inf, 0]\n"), "mine.toml:8:10: center"));
  EXPECT_TRUE(has(world_refusal(shape + "radius = 1\ncolor = \"red\"\n"), "\"#rrggbb\""));
  EXPECT_TRUE(has(world_refusal(shape + "radius = 1\nsize = 2\n"), "mine.toml:8:8: a key"));
}

TEST(ParticleWorlds, KeepTheSignOfZero) {
  const World world = parse_world(
      "[[kind]]\nname = \"a\"\ncharge = -0.0\n[[fill]]\nshape = \"list\"\npositions = [[0, 1, 2]]\nvelocities = "
      "[[-0.0, 0, 1]]\n",
      "mine.toml");
  const World again = parse_world(world_text(world), "again.toml");
  EXPECT_TRUE(std::signbit(again.particles.charge.front()));
  EXPECT_TRUE(std::signbit(again.particles.velocity.front()[0]));
  EXPECT_FALSE(std::signbit(again.particles.velocity.front()[1]));
  EXPECT_EQ(world_text(again), world_text(world));
}

TEST(ParticleWorlds, AreRefusedWithLineAndColumn) {
  EXPECT_TRUE(has(world_refusal("seed = 1\nsede = 2\n[[fill]]\nshape = \"lattice\"\nsize = 5\n"), "mine.toml:2:"));
  EXPECT_TRUE(has(world_refusal("seed = \n"), "mine.toml:1:"));
  EXPECT_TRUE(has(world_refusal(fluid_text + "cutoff = \"far\"\n"), "mine.toml:8:"));
  EXPECT_TRUE(has(world_refusal(fluid_text + "cutoff = 1e300\n"), "up to 1e18"));
  EXPECT_TRUE(has(world_refusal(fluid_text + "parameters = { sgima = 1 }\n"), "epsilon | sigma"));
  EXPECT_TRUE(has(world_refusal("[[fill]]\nshape = \"heap\"\n"), "lattice | random"));
  EXPECT_TRUE(has(world_refusal("seed = 1\n[ensemble]\nseed = 2\n[[fill]]\nshape = \"lattice\"\nsize = 5\n"),
                  "a world has one seed"));
}

TEST(ParticleWorlds, AreRefusedWhenInconsistent) {
  EXPECT_EQ(world_refusal(fluid_text), "");
  EXPECT_TRUE(has(world_refusal(fluid_text + "cutoff = 5.1\n"), "twice"));
  EXPECT_TRUE(has(world_refusal(fluid_text + "cutoff = 0\n"), "5"));
  EXPECT_TRUE(has(world_refusal("bonds = [[0, 100]]\n" + fluid_text), "the index of a particle, 0 to"));
  EXPECT_TRUE(has(world_refusal("constraints = [[0, 100, 1]]\n" + fluid_text), "the index of a particle, 0 to"));
  EXPECT_TRUE(
      has(world_refusal(fluid_text + "[[group]]\nlaw = \"fene\"\non = [[3, 200]]\n"), "the index of a particle, 0 to"));
  EXPECT_TRUE(has(world_refusal(fluid_text + "[[group]]\nlaw = \"fene\"\non = [[3, 3]]\n"), "twice"));
  const std::string springs = fluid_text + "[[group]]\nlaw = \"harmonic-bond\"\nrest = \"r0\"\n";
  EXPECT_EQ(world_refusal(springs + "on = [[3, 4]]\n"), "");
  EXPECT_TRUE(has(world_refusal(springs + "members = 1\n"), "mine.toml:10:"));
  EXPECT_TRUE(has(world_refusal(springs + "members = 1\n"), "a law with a rest length: expected 2"));
  EXPECT_TRUE(has(world_refusal(springs + "members = 1\non = [[3]]\n"), "a law with a rest length: expected 2"));
  EXPECT_TRUE(has(world_refusal(springs + "columns = [\"k2\"]\n"), "columns need"));
  const std::string two = "[[fill]]\nshape = \"list\"\npositions = [[0, 0, 0], [1, 0, 0]]\n";
  EXPECT_EQ(world_refusal(two + "masses = [1, 2]\ncharges = [1, 2]\ncolumns = { q = [3, 4] }\n"), "");
  EXPECT_TRUE(
      has(world_refusal(two + "masses = [1]\n"), "the number of masses: expected 2, as many as positions, got \"1\""));
  EXPECT_TRUE(has(world_refusal(two + "masses = [1, -1]\n"), "particle 1's mass"));
  EXPECT_TRUE(has(world_refusal(two + "columns = { q = [1, 2, 3] }\n"), "as many as positions"));
  EXPECT_TRUE(has(world_refusal(two + "columns = { q = 1 }\n"), "array of numbers"));
  EXPECT_TRUE(has(world_refusal(fluid_text + "parameters = { r = 1 }\nsnippet = \"energy += r;\"\nname = \"x\"\n"),
                  "two things have the name"));
  EXPECT_TRUE(has(world_refusal(fluid_text + "[ensemble]\ndt = 0\n"), "dt"));
}

TEST(ParticleWorlds, AreRefusedWhenParticlesDoNotFit) {
  const std::string random = "[box]\nlengths = 6\n[[fill]]\nshape = \"random\"\n";
  EXPECT_TRUE(has(world_refusal(random + "count = 500\napart = 2\n"), "500 particles do not fit so far apart"));
  EXPECT_EQ(world_refusal(random + "count = 20\napart = 1\n"), "");
}

TEST(ParticleWorlds, AreRefusedWithInvalidNames) {
  const std::string kinds = "[[kind]]\nname = \"a\"\n",
                    lattice = "[[fill]]\nshape = \"lattice\"\ncount = 8\nsize = 4\n";
  const auto quoted_key = [](const std::string& name) { return "\"" + name + "\" = 1\n"; };
  EXPECT_EQ(world_refusal(kinds + "if = 1\n_total2 = 2\n" + std::string(40, 'x') + " = 3\n" + lattice), "");
  for (const std::string& bad :
       std::vector<std::string>{"a = 0; b", "my column", "1st", "", "x-y", "\xc3\xa9", std::string(41, 'x')}) {
    SCOPED_TRACE(bad);
    EXPECT_TRUE(has(world_refusal(kinds + quoted_key(bad) + lattice), "mine.toml:3:")) << "a column";
    EXPECT_TRUE(has(world_refusal(kinds + quoted_key(bad) + lattice), "letters, digits and _")) << "a column";
    EXPECT_TRUE(has(world_refusal("[[kind]]\nname = \"" + bad + "\"\n" + lattice), "mine.toml:2:")) << "a kind";
    EXPECT_TRUE(has(world_refusal(fluid_text + "name = \"x\"\nsnippet = \"energy += r;\"\nparameters = { " +
                                  quoted_key(bad).substr(0, bad.size() + 6) + " }\n"),
                    "letters, digits and _"))
        << "a parameter";
    EXPECT_TRUE(
        has(world_refusal("[[fill]]\nshape = \"list\"\npositions = [[0, 0, 0]]\ncolumns = { \"" + bad + "\" = [1] }\n"),
            "letters, digits and _"))
        << "a list's column";
  }
  EXPECT_TRUE(has(world_refusal(kinds + kinds + lattice), "mine.toml:4:")) << "a kind twice";
  // Titles are free text.
  EXPECT_EQ(
      world_refusal("name = \"Dumbbells, that fall – übrigens\"\n" + fluid_text + "name = \"floor and weight\"\n"), "");
  for (const std::string bad : {"\\u001b[2J", "two\\nlines", "\\u202e"}) {
    EXPECT_TRUE(has(world_refusal("name = \"" + bad + "\"\n" + fluid_text), "printable characters")) << bad;
    EXPECT_TRUE(has(world_refusal(fluid_text + "name = \"" + bad + "\"\n"), "printable characters")) << bad;
  }
  EXPECT_TRUE(has(world_refusal("name = \"" + std::string(101, 'x') + "\"\n" + fluid_text), "at most 100"));
}

TEST(ParticleWorlds, HaveTheirSizesCheckedBeforeAllocation) {
  const auto shape = [](const std::string& name, const std::string& keys) {
    return world_refusal("[box]\nlengths = 100\n[[kind]]\nname = \"a\"\n[[kind]]\nname = \"b\"\n[[fill]]\nshape = \"" +
                         name + "\"\n" + keys + "\n");
  };
  const std::string none = "the number of particles: expected at most";
  EXPECT_TRUE(has(shape("cloth", "across = 1000000\nalong = 1000000"), none));
  EXPECT_TRUE(has(shape("cloth", "across = 1000000\nalong = 1000000"), "mine.toml:9:")) << "with its place";
  EXPECT_TRUE(has(shape("chain", "count = 50000\nlength = 50000"), none));
  EXPECT_TRUE(has(shape("water", "count = 16777216\nkinds = [\"a\", \"b\"]"), none));
  EXPECT_TRUE(has(shape("lattice", "count = 10\n[[fill]]\nshape = \"lattice\"\ncount = 16777216"), none));
  EXPECT_TRUE(has(shape("lattice", "count = 1000000000"), "from 1 to 16777216"));
  for (const char* filled : {"lattice", "random", "chain"}) {
    EXPECT_TRUE(has(shape(filled, "size = [-1, 1, 1]"), "a length of size: expected a number of 0 or more, got \"-1\""))
        << filled;
    EXPECT_TRUE(has(shape(filled, "avoid = -1"), "avoid: expected a number of 0 or more, got \"-1\"")) << filled;
  }
  EXPECT_TRUE(has(shape("lattice", "size = [1, 0, 1]"), "above 0"));
  EXPECT_TRUE(has(shape("random", "count = 5\napart = -1"), "apart: expected a number of 0 or more, got \"-1\""));
  EXPECT_EQ(shape("random", "count = 5\nsize = [1, 0, 1]"), "") << "a sheet";
  const std::string law =
      "parameters = { k = { value = 1, minimum = 5, maximum = 2 } }\nname = \"x\"\nsnippet = \"energy += k;\"\n";
  EXPECT_TRUE(has(world_refusal(fluid_text + law), "minimum: expected at most"));
  EXPECT_TRUE(has(world_refusal(fluid_text + "parameters = { epsilon = { value = 1, minimum = 2 } }\n"),
                  "value: expected at least minimum"));
  EXPECT_TRUE(has(world_refusal(fluid_text + "parameters = { epsilon = { value = 3, maximum = 2 } }\n"),
                  "value: expected at most maximum"));
  EXPECT_EQ(world_refusal(fluid_text + "parameters = { epsilon = 1e4 }\n"), "") << "a range that is not given follows";
}

TEST(ParticleWorlds, AStarOfBondsIsRefused) {
  const std::size_t rays = 30'000;
  std::string bonds = "bonds = [";
  for (std::size_t k = 1; k <= rays; ++k) bonds += "[0, " + std::to_string(k) + "], ";
  const std::string star = bonds + "]\n", points = "[[fill]]\nshape = \"lattice\"\ncount = 30001\nsize = 100\n";
  EXPECT_TRUE(has(world_refusal(star + points + "[[group]]\nlaw = \"harmonic-angle\"\n"), "the number of angles"));
  EXPECT_TRUE(has(world_refusal(star + points), "excluded_bonds"));
  EXPECT_EQ(world_refusal("excluded_bonds = 1\n" + star + points), "");
}

// For every number of particles, the searched cube of sites contains the ball.
TEST(ParticleWorlds, ADropletHasTheSitesNearestToItsCentre) {
  for (const bool dome : {false, true})
    for (const int count : {1, 2, 7, 8, 27, 33, 100, 1000, 4321}) {
      const World world = parse_world("[[fill]]\nshape = \"droplet\"\nspacing = 1\ncount = " + std::to_string(count) +
                                          (dome ? "\ndome = true\n" : "\n"),
                                      "mine.toml");
      const auto square = [](const Vector& v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; };
      std::vector<double> all;
      for (int z = dome ? 0 : -25; z <= 25; ++z)
        for (int y = -25; y <= 25; ++y)
          for (int x = -25; x <= 25; ++x) all.push_back(x * x + y * y + z * z);
      std::ranges::sort(all);
      ASSERT_EQ(world.particles.size(), static_cast<std::size_t>(count));
      for (std::size_t k = 0; k < world.particles.size(); ++k) EXPECT_EQ(square(world.particles.position[k]), all[k]);
    }
}

TEST(ParticleWorlds, ExcludeParticlesTwoBondsApart) {
  World world = parse_world("[[fill]]\nshape = \"chain\"\nlength = 4\n", "mine.toml");
  EXPECT_EQ(exclusions_of(world), (std::vector<Bond>{{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}}));
  world.excluded_bonds = 1;
  EXPECT_EQ(exclusions_of(world).size(), 3u);
  world.excluded_bonds = 0;
  EXPECT_TRUE(exclusions_of(world).empty());
}

TEST(ParticleWorlds, DrawVelocitiesOfTheGivenTemperature) {
  World world = parse_world(fluid_text, "mine.toml");
  draw_velocities(world, 1.7);
  double twice_kinetic = 0;
  Vector momentum{};
  for (std::size_t i = 0; i < 100; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      twice_kinetic += world.particles.velocity[i][k] * world.particles.velocity[i][k];
      momentum[k] += world.particles.velocity[i][k];
    }
  // Velocities are not rescaled: the mean of 297 squares has a relative standard deviation of √(2/297); five of them.
  EXPECT_NEAR(twice_kinetic / 297, 1.7, 5 * 1.7 * std::sqrt(2.0 / 297));
  EXPECT_GT(std::abs(twice_kinetic / 297 - 1.7), 1e-6);
  for (const double p : momentum) EXPECT_NEAR(p, 0, 1e-12);
}

// ∫ f dv = 1 and ∫ v² f dv = 3kT/m.
TEST(ParticleObservables, MaxwellsDensityIsOne) {
  double sum = 0, square = 0;
  for (double v = 0.0005; v < 20; v += 0.001) {
    sum += maxwell_density(v, 2, 1.5) * 0.001;
    square += v * v * maxwell_density(v, 2, 1.5) * 0.001;
  }
  EXPECT_NEAR(sum, 1, 1e-6);
  EXPECT_NEAR(square, 3 * 1.5 / 2, 1e-6);
}
