/// The tags of a text of XML, one after another: enough for the headers of data, without documents that define names of
/// their own. Any thread.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace orrery {

struct XmlTag {
  enum class Form { opens, closes, stands_alone, comment };
  Form form = Form::opens;
  std::string_view name;  ///< of a comment, its text
  std::map<std::string, std::string, std::less<>> attributes = {};
  std::size_t begin = 0, end = 0;  ///< the bytes from '<' to behind '>'

  bool opens(std::string_view of) const { return form != Form::closes && form != Form::comment && name == of; }
  /// The value of an attribute; empty where it has none.
  std::string attribute(std::string_view key) const;
};

class XmlTags {
 public:
  /// `name` stands for the text in messages; both outlive this.
  XmlTags(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  /// The next tag. Declarations and instructions, <?xml …> and <!DOCTYPE …>, are passed over. Throws a usage Error with
  /// line and column where the text ends or is no XML.
  XmlTag next();
  /// The text that stands directly in a tag that has just been read, which may have other tags in it; reads to its end.
  std::string_view text_of(const XmlTag& tag);
  /// "stars.vtp:3:5" of a byte.
  std::string place(std::size_t at) const;
  [[noreturn]] void refuse(std::size_t at, const std::string& what, const std::string& found,
                           const std::string& expected) const;

 private:
  std::size_t find(std::string_view what, std::size_t from) const;
  std::size_t read_attribute(XmlTag& tag, std::size_t at) const;

  std::string_view text_, name_;
  std::size_t at_ = 0;
};

}  // namespace orrery
