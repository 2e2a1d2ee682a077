"""Random, reproducible input to the window, from a seed."""
import subprocess
import time

KEYS = ["space", "b", "n", "r", "c", "F1", "F2", "h", "Delete", "ctrl+d", "t", "e", "plus", "minus", "Left", "Right", "Up", "Down", "1", "3", "7", "j",
        "bracketleft", "bracketright", "BackSpace", "alt+Left", "alt+Right", "ctrl+c", "ctrl+v", "ctrl+z", "End", "Escape", "F11"]
TYPED = ["0", "1", "7", "64", "300", "0.01", "-5", "1e9", "1e-30", "nan", "999999999999999999999", "0 1 1e-40", "x"]
PANELS = 330  # the width of their column, in pixels
SECTIONS = ['[nbody]\nbodies = {bodies}\ninitial = "{initial}"\ndt = {dt}\n', '[nbody]\nintegrator = "{integrator}"\nprecision = "{precision}"\n',
            '[nbody]\nburst = {burst}\nsoftening = {dt}\n', '[mandelbrot]\niterations = {bodies}\nprecision = "{precision}"\n',
            '[nbody]\nbodies = -{bodies}\n', '[nbody\nbodies = {bodies}\n']


class RandomInput:
    """Random input to one window. act() is one event; it raises CalledProcessError if the window is gone. `done` counts the
    events."""

    def __init__(self, orrery, dice, largest=(1200, 740)):
        self.orrery, self.dice, self.largest = orrery, dice, largest
        self.size = (640, 420)
        self.done = {}
        self.unwanted = set()  # keys
        self.kinds = {self.press: 30, self.click_the_picture: 10, self.click_a_panel: 15, self.drag_the_picture: 8, self.drag_a_panel: 7,
                      self.turn_the_wheel: 12, self.type_a_value: 4, self.resize: 7, self.minimise: 0.5, self.change_device: 1.5,
                      self.change_scene: 2.5, self.drop_parameters: 1.5}

    def act(self):
        kind = self.dice.choices(list(self.kinds), list(self.kinds.values()))[0]
        self.done[kind.__name__] = self.done.get(kind.__name__, 0) + 1
        kind()

    # One process per event, so that slow machines keep up.
    def send(self, *words):
        self.orrery.screen.xdotool(*words)

    def somewhere(self, left, right):
        width, height = self.size
        return [self.dice.randrange(max(left, 0), max(min(right, width), left + 1)), self.dice.randrange(0, max(height, 1))]

    def at(self, place):
        return ["mousemove", "--window", self.orrery.window, *place]

    def picture_point(self):
        return self.somewhere(min(PANELS, self.size[0] // 2), self.size[0])

    def press(self):
        self.send("key", "--window", self.orrery.window, self.dice.choice([key for key in KEYS if key not in self.unwanted]))

    def click_the_picture(self):
        self.send(*self.at(self.picture_point()), "click", "--repeat", self.dice.choice([1, 1, 2]), "--delay", 60, self.dice.choice([1, 1, 3]))

    def click_a_panel(self):
        self.send(*self.at(self.somewhere(0, PANELS)), "sleep", 0.03, "mousedown", 1, "sleep", 0.05, "mouseup", 1)

    def drag(self, start, end, button):
        middle = [(a + b) // 2 for a, b in zip(start, end)]
        self.send(*self.at(start), "mousedown", button, *self.at(middle), "sleep", 0.03, *self.at(end), "sleep", 0.03, "mouseup", button)

    def drag_the_picture(self):
        shift = self.dice.random() < 0.2
        if shift:
            self.send("keydown", "shift")
        try:
            self.drag(self.picture_point(), self.picture_point(), self.dice.choice([1, 1, 3]))
        finally:
            if shift:
                self.send("keyup", "shift")

    def drag_a_panel(self):
        start = self.somewhere(0, PANELS)
        self.drag(start, [self.dice.randrange(PANELS), start[1]], 1)

    def turn_the_wheel(self):
        place = self.dice.choice([self.picture_point, lambda: self.somewhere(0, PANELS)])()
        self.send(*self.at(place), "click", "--repeat", self.dice.randrange(1, 6), "--delay", 10, self.dice.choice([4, 5]))

    def type_a_value(self):
        self.send(*self.at(self.somewhere(100, PANELS)), "keydown", "ctrl", "click", 1, "keyup", "ctrl", "type", "--delay", 5, self.dice.choice(TYPED))
        self.send("key", "--window", self.orrery.window, "Return")

    def resize(self):
        self.size = tuple(self.dice.randrange(1, most) if self.dice.random() < 0.1 else self.dice.randrange(most // 3, most)
                          for most in self.largest)
        self.send("windowsize", self.orrery.window, *self.size)

    def minimise(self):
        self.send("windowminimize", self.orrery.window)
        time.sleep(self.dice.uniform(0.1, 1))
        self.send("windowmap", self.orrery.window, "windowactivate", self.orrery.window)

    def change_device(self):
        self.send("key", "--window", self.orrery.window, "d")

    def change_scene(self):
        self.send("key", "--window", self.orrery.window, "Tab")

    def drop_parameters(self):
        dice = self.dice
        text = dice.choice(SECTIONS).format(
            bodies=dice.choice([1, 2, 3, 97, 300, 1023, 4096]), dt=dice.choice(["0.0", "1e-3", "0.5", "1e30"]), burst=dice.choice([1, 2, 7, 64]),
            initial=dice.choice(["plummer", "galaxies", "kepler", "figure-eight"]), integrator=dice.choice(["tutorial", "leapfrog", "yoshida4", "pefrl", "yoshida6"]),
            precision=dice.choice(["single", "mixed", "double"]))
        (self.orrery.folder / "dropped.toml").write_text(text)
        try:
            self.orrery.drop("dropped.toml")
        except AssertionError as refused:  # the window is too small, too slow or minimised
            raise subprocess.CalledProcessError(1, "drop") from refused
