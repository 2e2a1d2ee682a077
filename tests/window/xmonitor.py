"""Removes and restores the monitor of a virtual display, by libXrandr (RandR 1.2)."""
import contextlib
import ctypes
import ctypes.util

Id = ctypes.c_ulong
ROTATE_0 = 1


class Resources(ctypes.Structure):
    _fields_ = [("timestamp", Id), ("configured", Id), ("crtc_count", ctypes.c_int), ("crtcs", ctypes.POINTER(Id)),
                ("output_count", ctypes.c_int), ("outputs", ctypes.POINTER(Id))]  # and modes


class Crtc(ctypes.Structure):
    _fields_ = [("timestamp", Id), ("x", ctypes.c_int), ("y", ctypes.c_int), ("width", ctypes.c_uint), ("height", ctypes.c_uint), ("mode", Id)]


def libraries():
    x11 = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
    randr = ctypes.CDLL(ctypes.util.find_library("Xrandr") or "libXrandr.so.2")
    pointer = ctypes.c_void_p
    x11.XOpenDisplay.restype, x11.XOpenDisplay.argtypes = pointer, [ctypes.c_char_p]
    x11.XDefaultRootWindow.restype, x11.XDefaultRootWindow.argtypes = Id, [pointer]
    x11.XSync.argtypes, x11.XCloseDisplay.argtypes = [pointer, ctypes.c_int], [pointer]
    randr.XRRGetScreenResourcesCurrent.restype = ctypes.POINTER(Resources)
    randr.XRRGetScreenResourcesCurrent.argtypes = [pointer, Id]
    randr.XRRGetCrtcInfo.restype = ctypes.POINTER(Crtc)
    randr.XRRGetCrtcInfo.argtypes = [pointer, ctypes.POINTER(Resources), Id]
    randr.XRRSetCrtcConfig.argtypes = [pointer, ctypes.POINTER(Resources), Id, Id, ctypes.c_int, ctypes.c_int, Id, ctypes.c_ushort,
                                       ctypes.POINTER(Id), ctypes.c_int]
    return x11, randr


@contextlib.contextmanager
def unplugged(display):
    """Context manager without a monitor."""
    x11, randr = libraries()
    connection = x11.XOpenDisplay(display.encode())
    assert connection, f"no display {display}"

    def show(crtc, mode, outputs, count):
        resources = randr.XRRGetScreenResourcesCurrent(connection, x11.XDefaultRootWindow(connection))  # has the newest time stamp
        failed = randr.XRRSetCrtcConfig(connection, resources, crtc, 0, 0, 0, mode, ROTATE_0, outputs, count)
        x11.XSync(connection, 0)
        assert not failed, f"RandR refuses it ({failed})"

    try:
        resources = randr.XRRGetScreenResourcesCurrent(connection, x11.XDefaultRootWindow(connection))
        assert (resources.contents.crtc_count, resources.contents.output_count) == (1, 1), "one monitor"
        crtc = resources.contents.crtcs[0]
        mode = randr.XRRGetCrtcInfo(connection, resources, crtc).contents.mode
        show(crtc, 0, None, 0)
        try:
            yield
        finally:
            show(crtc, mode, resources.contents.outputs, 1)
    finally:
        x11.XCloseDisplay(connection)
