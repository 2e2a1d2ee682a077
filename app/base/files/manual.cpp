#include "base/files/manual.hpp"

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/path.hpp"

namespace orrery {
namespace {

ManualPage read_page(const std::string& file) {
  markdown::Page content = markdown::parse(read_file(asset_folder() / "manual" / file));
  std::string title = content.empty() ? std::string() : markdown::text_of(content.front().line);
  return {file.substr(0, file.rfind('.')), std::move(title), std::move(content)};
}

std::vector<ManualPage> read_pages() {
  std::vector<ManualPage> pages;
  try {
    pages.push_back(read_page("index.md"));
    const markdown::Page index = pages.front().content;
    for (const markdown::Block& block : index)
      for (const auto& row : block.rows)
        if (!row.empty() && !row.front().empty() && !row.front().front().link.empty())
          pages.push_back(read_page(row.front().front().link));
  } catch (const Error&) {  // a page that cannot be read ends the list
  }
  return pages;
}

}  // namespace

const std::vector<ManualPage>& manual_pages() {
  static const std::vector<ManualPage> pages = read_pages();
  return pages;
}

}  // namespace orrery
