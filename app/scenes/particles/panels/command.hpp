/// Commands of panels and keys to the particles scene. Plain values.
#pragma once

#include <string>

namespace orrery::command {

/// A world of assets/worlds by its name, or a file.
struct OpenWorld {
  std::string world;
};
/// From now on this text is the law's, as soon as it is accepted; until then, and when it is refused, the old one runs.
struct EditLaw {
  std::string law, text;
};
/// One more pair law, of the ready-made ones; one without a force where no name is given.
struct AddLaw {
  std::string ready;
};
/// A name in the refused text of a law becomes a parameter of it, and the text is tried again.
struct AddLawParameter {
  std::string law, name;
};
struct RemoveLaw {
  std::string law;
};
/// The text and the parameters that the world's file gives the law, or the list of built-in laws.
struct ResetLaw {
  std::string law;
};
/// Shows or hides the text of a law.
struct ToggleLawText {};
/// To a state of less energy, before the next step.
struct Minimize {};

}  // namespace orrery::command
