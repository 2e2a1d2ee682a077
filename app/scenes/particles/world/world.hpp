/// A world of particles as plain data: its particles, forces and motion. No OpenCL; any thread.
///
/// Units are the user's own; Boltzmann's constant is World::boltzmann (1 in reduced units). The box is centred at the
/// origin: it reaches from −L/2 to L/2.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::particles {

/// Kinds, columns and parameters have names for formulas and tables: letters, digits and _, a letter
/// first, 40 at most. The reason why `name` is invalid; empty where it is valid.
std::string name_fault(std::string_view name);
/// Worlds and laws have titles, and parameters a help: any text on one line. The reason why `title` is invalid or
/// longer than `longest` bytes; empty where it is valid.
inline constexpr std::size_t longest_title = 100, longest_help = 500;
std::string title_fault(std::string_view title, std::size_t longest = longest_title);

/// Limits that keep products of these values within floats.
inline constexpr double longest_time_step = 1e30, highest_temperature = 1e30, highest_friction = 1e30;
/// Limits of numbers. Larger ones do not fit the 32-bit indices, nor most memories.
inline constexpr std::size_t most_particles = std::size_t{1} << 24, most_kinds = 1024, most_columns = 64;
/// Pairs, triples and quadruples of bonded particles, of each sort: a particle with a thousand bonds has half a
/// million angles.
inline constexpr std::size_t most_joined = std::size_t{1} << 26;

using Vector = std::array<double, 3>;

/// Open space, or a periodic box.
struct Box {
  std::optional<Vector> lengths;  ///< of a periodic box; without a value: open
  bool periodic() const { return lengths.has_value(); }
  double volume() const { return lengths ? (*lengths)[0] * (*lengths)[1] * (*lengths)[2] : 0; }
  bool operator==(const Box&) const = default;
};

/// sRGB.
using Color = std::array<std::uint8_t, 3>;

/// The name of a kind of particles, and the size and the colour that they are drawn with.
struct Kind {
  std::string name;
  double radius = 0.5;              ///< length
  std::optional<Color> color = {};  ///< nothing: one of the program's own
  bool operator==(const Kind&) const = default;
};

/// A number per particle, which laws read as name1, name2 …
struct Column {
  std::string name;
  std::vector<double> values;
  bool operator==(const Column&) const = default;
};

/// Arrays of one length. A particle of mass 0 is held where it is.
struct Particles {
  std::vector<Vector> position, velocity;
  std::vector<double> mass, charge;
  std::vector<std::uint32_t> kind;  ///< indices of World::kinds
  std::vector<Column> columns;      ///< besides mass and charge
  std::size_t size() const { return position.size(); }
  bool operator==(const Particles&) const = default;
};

/// A number that a law's snippet reads by its name, and that a slider changes while the simulation runs.
struct LawParameter {
  std::string name;
  double value = 1;
  double minimum = 0, maximum = 10;
  std::string unit = {}, help = {};
  bool operator==(const LawParameter&) const = default;
};

/// The force between any two particles. The snippet (law_language.hpp) adds to `energy`, and may add to `dEdR`;
/// otherwise dEdR is the derivative. It reads r2, r, invR, delta (position2 − position1), body1, body2 (identities),
/// position1, position2, isExcluded, its parameters, and for each column mass1, mass2, charge1, charge2 …
struct PairLaw {
  enum class Excluded { skip, seen };
  std::string name;
  std::string snippet;
  std::vector<LawParameter> parameters = {};
  double cutoff = 0;                   ///< length; 0: none
  double switch_from = 0;              ///< from here on the energy goes smoothly to 0 at the cutoff; 0: it is truncated
  bool tail = false;                   ///< Lennard-Jones: corrects energy and pressure for pairs beyond the cutoff
  Excluded excluded = Excluded::skip;  ///< skips pairs that bonds exclude, or computes them with isExcluded set
  bool operator==(const PairLaw&) const = default;
};

/// The force in a group of a few particles: the snippet adds to `energy`, and may add to force1 … forceK; otherwise
/// these are minus its derivatives. It reads position1 … positionK (the periodic images that are nearest to the
/// first), body1 …, its parameters, the columns of its particles (mass1 …), and those of the group itself by their
/// names.
struct GroupLaw {
  std::string name;
  std::size_t members = 2;  ///< particles in each group, 1 … 8
  std::string snippet;
  std::vector<LawParameter> parameters = {};
  std::vector<std::string> columns = {};  ///< columns of each group
  bool operator==(const GroupLaw&) const = default;
};

/// The groups that a law applies to.
struct Groups {
  GroupLaw law;
  std::vector<std::uint32_t> members;  ///< law.members for each group
  std::vector<double> values = {};     ///< law.columns for each group
  std::size_t size() const { return law.members > 0 ? members.size() / law.members : 0; }
  bool operator==(const Groups&) const = default;
};

using Bond = std::array<std::uint32_t, 2>;

/// Two particles at a fixed distance.
struct Constraint {
  std::uint32_t first = 0, second = 0;
  double distance = 1;
  bool operator==(const Constraint&) const = default;
};

enum class Thermostat { none, langevin, berendsen };

struct Ensemble {
  Thermostat thermostat = Thermostat::none;  ///< none: velocity Verlet
  double dt = 0.005;
  double temperature = 1;
  double friction = 1;    ///< Langevin's, 1/time
  double relaxation = 1;  ///< Berendsen's, time
  /// Linear cooling or heating: to this temperature, during ramp_time.
  std::optional<double> final_temperature = {};
  double ramp_time = 0;
  double temperature_at(double time) const;
  bool operator==(const Ensemble&) const = default;
};

enum class ColorBy { speed, kind, charge, energy };

/// A number of a shape: written, or the value of a law's parameter, which the shape follows.
struct ShapeNumber {
  double value = 0;                   ///< used if there is no such parameter
  std::string law{}, parameter = {};  ///< empty: the number is written
  bool operator==(const ShapeNumber&) const = default;
};

/// An obstacle in a law, drawn among the particles (shapes.hpp).
struct Shape {
  enum class Form { sphere, box, cylinder, plane };
  static constexpr Color usual_color{112, 128, 156};
  Form form = Form::sphere;
  std::array<ShapeNumber, 3> center{};
  Vector axis{0, 0, 1};                ///< axis of a cylinder; normal of a plane, which is visible from that side
  std::vector<ShapeNumber> size = {};  ///< radius; three lengths; radius and length; the side of a square
  Color color = usual_color;
  bool operator==(const Shape&) const = default;
};

/// Initial settings of the view.
struct ViewHints {
  ColorBy color = ColorBy::speed;
  bool box = true;
  bool bonds = true;
  std::int64_t burst = 1;  ///< steps between two published frames
  bool operator==(const ViewHints&) const = default;
};

struct World {
  std::string name, about;
  Box box;
  std::vector<Kind> kinds;
  Particles particles;
  std::vector<PairLaw> pairs;
  std::vector<Groups> groups;
  std::vector<Bond> bonds;  ///< drawn; exclusions follow from them
  int excluded_bonds = 2;   ///< particles up to this many bonds apart are excluded: 0 none, 1 1–2, 2 also 1–3
  std::vector<Constraint> constraints;
  Ensemble ensemble;
  std::uint64_t seed = 1;  ///< seed of the only random number generator
  double boltzmann = 1;
  bool minimize = false;  ///< minimise the energy before the first step
  ViewHints view;
  std::vector<Shape> shapes = {};
  bool operator==(const World&) const = default;
};

/// Throws a usage Error that names value, place and allowed range: a box smaller than twice a cutoff, a bond to a
/// particle that does not exist, a law without a cutoff in a periodic box, numbers that are not finite …
void check(const World& world);
void check(const Ensemble& ensemble);

/// Pairs (first < second) that bonds and constraints exclude, sorted, each once.
std::vector<Bond> exclusions_of(const World& world);

/// The largest cutoff of the pair laws; 0 when one of them has none, or there are no laws.
double cutoff_of(std::span<const PairLaw> laws);
inline double cutoff_of(const World& world) { return cutoff_of(world.pairs); }

/// Degrees of freedom of the momenta: three for each particle that moves, less one for each constraint, and less three
/// where the total momentum is conserved.
double degrees_of_freedom(const World& world);

/// The bound, in standard errors, by which the kinetic energy of these degrees of freedom may exceed its mean (f/2) kT:
/// it varies between draws and, under a thermostat, with time.
double kinetic_scatter(double degrees_of_freedom, double kT, double standard_errors);

/// Draws velocities from Maxwell and Boltzmann's distribution at this temperature and subtracts the total drift. They
/// are not scaled: the measured temperature scatters about the given one with √(2 / degrees of freedom) of it.
void draw_velocities(World& world, double temperature);
/// Subtracts the velocity of the centre of mass if the total momentum is conserved.
void take_drift(const World& world, std::vector<Vector>& velocity);

/// The columns of each particle that laws may read: mass, charge, then the world's own.
std::vector<std::string> column_names(const World& world);
/// The values of one of them, one per particle.
const std::vector<double>& column_of(const Particles& particles, std::string_view name);

}  // namespace orrery::particles
