// Paths are made of UTF-8. The C++ library of mingw-w64 makes them by the C library's encoding, which msvcrt.dll cannot
// set to UTF-8, but returns them as UTF-8, so that a name beyond ASCII would change. Its conversion between char and
// wchar_t is therefore replaced: all functions of one object file (GCC's config/locale/generic/codecvt_members.cc), so
// that the linker skips that file.
#include <codecvt>
#include <locale>

namespace std {

using WideFromChar = codecvt<wchar_t, char, mbstate_t>;
namespace {

const codecvt_utf8_utf16<wchar_t>& utf8() {
  static const codecvt_utf8_utf16<wchar_t> conversion(1);  // 1: no locale owns it
  return conversion;
}

}  // namespace

codecvt_base::result WideFromChar::do_out(state_type& state, const intern_type* from, const intern_type* from_end,
                                          const intern_type*& from_next, extern_type* to, extern_type* to_end,
                                          extern_type*& to_next) const {
  return utf8().out(state, from, from_end, from_next, to, to_end, to_next);
}

codecvt_base::result WideFromChar::do_in(state_type& state, const extern_type* from, const extern_type* from_end,
                                         const extern_type*& from_next, intern_type* to, intern_type* to_end,
                                         intern_type*& to_next) const {
  return utf8().in(state, from, from_end, from_next, to, to_end, to_next);
}

int WideFromChar::do_encoding() const noexcept { return utf8().encoding(); }
int WideFromChar::do_max_length() const noexcept { return utf8().max_length(); }

int WideFromChar::do_length(state_type& state, const extern_type* from, const extern_type* from_end,
                            size_t most) const {
  return utf8().length(state, from, from_end, most);
}

}  // namespace std
