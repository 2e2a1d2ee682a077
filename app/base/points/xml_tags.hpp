/// The tags of an XML text in order: enough for headers of data, without document type definitions. Any thread.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace orrery {

struct XmlTag {
  enum class Form { opens, closes, stands_alone, comment };
  Form form = Form::opens;
  std::string_view name;  ///< or the text of a comment
  std::map<std::string, std::string, std::less<>> attributes = {};
  std::size_t begin = 0, end = 0;  ///< from '<' to after '>', in bytes

  bool opens(std::string_view of) const { return form != Form::closes && form != Form::comment && name == of; }
  /// The value of an attribute; empty: none.
  std::string attribute(std::string_view key) const;
};

class XmlTags {
 public:
  /// `name` stands for the text in messages; both outlive this.
  XmlTags(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  /// The next tag. Declarations and instructions, <?xml …> and <!DOCTYPE …>, are skipped. Throws a usage Error with
  /// line and column at the end of the text or for invalid XML.
  XmlTag next();
  /// The text directly inside the tag just read, which may contain other tags; reads to its end.
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
