#include "scenes/nbody/window/look.hpp"

#include "base/files/gradient.hpp"
#include "scene/orbit_view.hpp"
#include "scenes/nbody/bodies/body.hpp"

namespace orrery {

namespace {

std::vector<Parameter> of_cells_and_colors(NbodyLook& look) {
  const std::vector<std::string_view> palettes = sequential_gradient_names();
  return {
      {{.name = "cells",
        .label = "Cells",
        .help =
            "with forces tree: boxes around the bodies of its cells; levels: all down to the cell level; level: only the "
            "cell level. Cells that are small on the screen fade out; levels of more than 8192 cells are not drawn",
        .choices = {"off", {"levels", "All levels"}, {"level", "One level"}}},
       &look.cells},
      {{.name = "cell-level",
        .label = "Cell level",
        .help = "finest drawn level of cells; 1: the box of all bodies; auto: a level of at most 512 cells",
        .minimum = 1,
        .maximum = 16,
        .automatic = true},
       &look.cell_level},
      {{.name = "color-by",
        .label = "Colour by",
        .help = "quantity shown as colour; origin: the part of the initial condition, or the addition by "
                "hand, that a body comes from; age: time since the body was added by hand; error: relative "
                "error of accelerations, measured in double precision within a share of the device's time; "
                "depth: with forces tree, size of the cell of the 32 bodies around a body, as the octree "
                "level with cells of that size; cost: with forces tree, interactions of a body in the last "
                "evaluation of the field; level: with individual time steps, level k of the body's next step "
                "dt/2^k",
        .choices = {"speed",
                    "acceleration",
                    "potential",
                    "mass",
                    "origin",
                    "age",
                    {"error", "Force error"},
                    {"depth", "Cell depth"},
                    {"cost", "Cost"},
                    {"level", "Step level"}}},
       &look.color_by},
      {{.name = "palette",
        .label = "Palette",
        .help = "colours from low to high values",
        .choices = {palettes.begin(), palettes.end()}},
       &look.palette},
  };
}

std::vector<Parameter> of_bodies(NbodyLook& look) {
  return {
      {{.name = "sprite-size",
        .label = "Sprite size",
        .unit = "px",
        .help = "size of a body of mean mass at the initial camera distance; smaller beyond 4096 bodies",
        .minimum = 1,
        .maximum = 64,
        .logarithmic = true},
       &look.sprite_size},
      {{.name = "exposure",
        .label = "Exposure",
        .help = "brightness before tone mapping",
        .minimum = 0.01,
        .maximum = 100,
        .logarithmic = true},
       &look.exposure},
      {{.name = "trails",
        .label = "Trails",
        .help = "paths of the bodies; auto: on for up to 64 bodies",
        .choices = {"auto", "on", "off"}},
       &look.trails},
      {{.name = "trail-length",
        .label = "Trail length",
        .unit = "frames",
        .help = "published frames in a trail; all trails together hold at most 1,048,576 positions",
        .minimum = 2,
        .maximum = 4096,
        .logarithmic = true},
       &look.trail_length},
      {{.name = "ghost",
        .label = "Ghost",
        .help =
            "if the past has two branches, also draw the bodies of the other branch faintly, at the same step; between "
            "kept moments their places are interpolated"},
       &look.ghost},
  };
}

std::vector<Parameter> followed(NbodyLook& look) {
  return {
      {{.name = "follow",
        .label = "Follow",
        .help = "index of the body that the camera follows, counted from 0; -1: none",
        .minimum = -1,
        .maximum = static_cast<double>(most_in_a_set - 1),
        .none = "none"},
       &look.follow},
      {{.name = "follow-part",
        .label = "Follow part",
        .help = "point that the camera follows while it follows no body: the centre of mass of all bodies, or their "
                "densest part",
        .choices = {"none", {"mass", "Centre of mass"}, {"densest", "Densest part"}}},
       &look.follow_part},
  };
}

std::vector<Parameter> of_new_bodies(NbodyLook& look) {
  return {{{.name = "new-object",
            .label = "New object",
            .help = "object that is added by hand (key H): a body, or a set of bodies near equilibrium",
            .choices = {hand_objects.begin(), hand_objects.end()}},
           &look.new_object},
          {{.name = "new-bodies",
            .label = "New bodies",
            .help = "number of bodies of a galaxy, cluster or ring that is added by hand",
            .minimum = 2,
            .maximum = 100000,
            .logarithmic = true},
           &look.new_bodies},
          {{.name = "new-mass",
            .label = "New mass",
            .unit = "mass",
            .help = "mass of each body that is added by hand (key H); 0: the mean mass of the bodies",
            .minimum = 0,
            .maximum = 1e33,
            .soft_minimum = 0,
            .soft_maximum = 10,
            .logarithmic = true},
           &look.new_mass}};
}

}  // namespace

std::vector<Parameter> parameters(NbodyLook& look) {
  return joined({in_group("Look", of_cells_and_colors(look)), in_group("Look", of_bodies(look)),
                 in_group("Motion", {pace_row(look.steps_per_second)}), in_group("Camera", followed(look)),
                 in_group("Start", of_new_bodies(look))});
}

}  // namespace orrery
