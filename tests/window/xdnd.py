"""Drops files onto a window like a file manager: the source's side of XDND (freedesktop.org, version 5) over libX11. Also
reads the clipboard like another program."""
import ctypes
import ctypes.util
import pathlib
import struct
import time

Atom = Window = Time = ctypes.c_ulong
CLIENT_MESSAGE, SELECTION_NOTIFY, SELECTION_REQUEST = 33, 31, 30


class AnyEvent(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int), ("display", ctypes.c_void_p)]


class ClientMessage(ctypes.Structure):
    _fields_ = AnyEvent._fields_ + [("window", Window), ("message_type", Atom), ("format", ctypes.c_int), ("data", ctypes.c_long * 5)]


class SelectionRequest(ctypes.Structure):
    _fields_ = AnyEvent._fields_ + [("owner", Window), ("requestor", Window), ("selection", Atom), ("target", Atom),
                                    ("property", Atom), ("time", Time)]


class SelectionNotify(ctypes.Structure):
    _fields_ = AnyEvent._fields_ + [("requestor", Window), ("selection", Atom), ("target", Atom), ("property", Atom), ("time", Time)]


class Event(ctypes.Union):
    _fields_ = [("type", ctypes.c_int), ("client", ClientMessage), ("request", SelectionRequest), ("notify", SelectionNotify),
                ("pad", ctypes.c_long * 24)]


def x11():
    library = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
    pointer, text = ctypes.c_void_p, ctypes.c_char_p
    library.XOpenDisplay.restype, library.XOpenDisplay.argtypes = pointer, [text]
    library.XCloseDisplay.argtypes = [pointer]
    library.XDefaultRootWindow.restype, library.XDefaultRootWindow.argtypes = Window, [pointer]
    library.XCreateSimpleWindow.restype = Window
    library.XCreateSimpleWindow.argtypes = [pointer, Window] + [ctypes.c_int] * 2 + [ctypes.c_uint] * 3 + [ctypes.c_ulong] * 2
    library.XInternAtom.restype, library.XInternAtom.argtypes = Atom, [pointer, text, ctypes.c_int]
    library.XSetSelectionOwner.argtypes = [pointer, Atom, Window, Time]
    library.XSendEvent.argtypes = [pointer, Window, ctypes.c_int, ctypes.c_long, ctypes.POINTER(Event)]
    library.XChangeProperty.argtypes = [pointer, Window, Atom, Atom, ctypes.c_int, ctypes.c_int, text, ctypes.c_int]
    library.XConvertSelection.argtypes = [pointer, Atom, Atom, Atom, Window, Time]
    library.XGetWindowProperty.argtypes = [pointer, Window, Atom] + [ctypes.c_long] * 2 + [ctypes.c_int, Atom] + [pointer] * 5
    library.XPending.argtypes = library.XFlush.argtypes = [pointer]
    library.XNextEvent.argtypes = [pointer, ctypes.POINTER(Event)]
    return library


class Drag:
    """One drag, with its own source window."""

    patience = 20  # seconds for each answer

    def __init__(self, display, target, paths):
        self.x = x11()
        self.display = self.x.XOpenDisplay(display.encode())
        assert self.display, f"no display {display}"
        self.target = int(target)
        self.uris = "".join(pathlib.Path(path).resolve().as_uri() + "\r\n" for path in paths).encode()
        self.source = self.x.XCreateSimpleWindow(self.display, self.x.XDefaultRootWindow(self.display), 0, 0, 1, 1, 0, 0, 0)

    def close(self):
        self.x.XCloseDisplay(self.display)

    def atom(self, name):
        return self.x.XInternAtom(self.display, name.encode(), 0)

    def send(self, name, *data):
        event = Event()
        event.client.type, event.client.window, event.client.format = CLIENT_MESSAGE, self.target, 32
        event.client.message_type = self.atom(name)
        event.client.data[:] = [self.source, *data, *[0] * (4 - len(data))]
        self.x.XSendEvent(self.display, self.target, 0, 0, ctypes.byref(event))
        self.x.XFlush(self.display)

    def wait(self, name):
        """The data of the target's message of that name; sends the files on request."""
        wanted, end = self.atom(name), time.time() + self.patience
        while time.time() < end:
            if not self.x.XPending(self.display):
                time.sleep(0.01)
                continue
            event = Event()
            self.x.XNextEvent(self.display, ctypes.byref(event))
            if event.type == SELECTION_REQUEST:
                self.hand_over(event.request)
            elif event.type == CLIENT_MESSAGE and event.client.message_type == wanted:
                return list(event.client.data)
        raise AssertionError(f"the window sent no {name}")

    def hand_over(self, request):
        self.x.XChangeProperty(self.display, request.requestor, request.property, request.target, 8, 0, self.uris, len(self.uris))
        event = Event()
        event.notify = SelectionNotify(SELECTION_NOTIFY, 0, 1, self.display, request.requestor, request.selection, request.target,
                                       request.property, request.time)
        self.x.XSendEvent(self.display, request.requestor, 0, 0, ctypes.byref(event))
        self.x.XFlush(self.display)

    def hover(self, x, y):
        self.x.XSetSelectionOwner(self.display, self.atom("XdndSelection"), self.source, 0)
        self.send("XdndEnter", 5 << 24, self.atom("text/uri-list"))
        self.send("XdndPosition", 0, x << 16 | y, 0, self.atom("XdndActionCopy"))

    def drop(self, x, y):
        self.hover(x, y)
        assert self.wait("XdndStatus")[1] & 1, "the window takes no files"
        self.send("XdndDrop", 0, 0)
        self.wait("XdndFinished")


def clipboard(display):
    """The text of the clipboard's owner, or None."""
    asker = Drag(display, 0, [])
    x, shown, place = asker.x, asker.display, asker.atom("ORRERY_TEST")
    x.XConvertSelection(shown, asker.atom("CLIPBOARD"), asker.atom("UTF8_STRING"), place, asker.source, 0)
    x.XFlush(shown)
    end, event = time.time() + asker.patience, Event()
    while event.type != SELECTION_NOTIFY:
        assert time.time() < end, "nobody hands the clipboard over"
        x.XNextEvent(shown, ctypes.byref(event)) if x.XPending(shown) else time.sleep(0.01)
    if not event.notify.property:
        asker.close()
        return None
    kind, form, items, rest, text = Atom(), ctypes.c_int(), ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_char_p()
    x.XGetWindowProperty(shown, asker.source, place, 0, 1 << 20, 0, 0, *map(ctypes.byref, (kind, form, items, rest, text)))
    answer = ctypes.string_at(text, items.value).decode()
    asker.close()
    return answer


def hover_and_die(display, window, x=640, y=360):
    """Imitates a file manager that ends while its files are over the window, which still answers."""
    drag = Drag(display, window, [])
    drag.hover(x, y)
    drag.close()


def set_resources(display, text):
    """Sets the desktop's resources at the root window: "Xft.dpi: 192"."""
    x, xa_resource_manager, xa_string = x11(), 23, 31
    connection = x.XOpenDisplay(display.encode())
    assert connection, f"no display {display}"
    x.XChangeProperty(connection, x.XDefaultRootWindow(connection), xa_resource_manager, xa_string, 8, 0, text.encode(), len(text))
    x.XFlush(connection)
    x.XCloseDisplay(connection)


def drop(display, window, paths, x=640, y=360):
    """Drops the files onto the window at a place on the screen; returns when the window has taken them."""
    drag = Drag(display, window, paths)
    try:
        drag.drop(x, y)
    finally:
        drag.close()


class Desktop:
    """A desktop with these integer settings (freedesktop.org, XSETTINGS): {"Gtk/EnableAnimations": 0}."""

    def __init__(self, display, settings):
        self.x = x11()
        self.connection = self.x.XOpenDisplay(display.encode())
        assert self.connection, f"no display {display}"
        owner = self.x.XCreateSimpleWindow(self.connection, self.x.XDefaultRootWindow(self.connection), 0, 0, 1, 1, 0, 0, 0)
        atom = lambda name: self.x.XInternAtom(self.connection, name, 0)  # noqa: E731
        padded = lambda part: part + bytes(-len(part) % 4)  # noqa: E731
        text = struct.pack("<BxxxII", 0, 1, len(settings) + 1)
        text += struct.pack("<BxH", 1, 13) + padded(b"Net/ThemeName") + struct.pack("<II", 1, 7) + padded(b"Adwaita")
        for name, value in settings.items():
            text += struct.pack("<BxH", 0, len(name)) + padded(name.encode()) + struct.pack("<Ii", 1, value)
        kind = atom(b"_XSETTINGS_SETTINGS")
        self.x.XChangeProperty(self.connection, owner, kind, kind, 8, 0, text, len(text))
        self.x.XSetSelectionOwner(self.connection, atom(b"_XSETTINGS_S0"), owner, 0)
        self.x.XFlush(self.connection)

    def close(self):
        self.x.XCloseDisplay(self.connection)
