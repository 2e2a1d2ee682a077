#include "cli/device_report.hpp"

#include <cstdio>

#include "base/text.hpp"

namespace orrery::cli {

nlohmann::ordered_json as_json(const DeviceInfo& d) {
  nlohmann::ordered_json json = {{"id", text_of(d.id)},
                                 {"name", d.name},
                                 {"vendor", d.vendor},
                                 {"driver", d.driver},
                                 {"version", d.version},
                                 {"type", name_of(d.device_class)},
                                 {"compute_units", d.compute_units},
                                 {"clock_mhz", d.clock_mhz},
                                 {"global_bytes", d.global_bytes},
                                 {"allocation_bytes", d.allocation_bytes},
                                 {"local_bytes", d.local_bytes},
                                 {"local_is_dedicated", d.local_is_dedicated},
                                 {"max_work_group", d.max_work_group},
                                 {"max_work_items", d.max_work_items},
                                 {"preferred_float_width", d.preferred_float_width},
                                 {"preferred_double_width", d.preferred_double_width},
                                 {"fp64", d.fp64},
                                 {"float_fma", d.float_fma},
                                 {"double_fma", d.double_fma},
                                 {"int64_atomics", d.int64_atomics},
                                 {"unified_memory", d.unified_memory},
                                 {"timer_resolution_ns", d.timer_resolution_ns},
                                 {"max_parts", d.max_parts},
                                 {"extensions", d.extensions}};
  if (!d.fault.empty()) json["fault"] = d.fault;
  if (!d.notice.empty()) json["notice"] = d.notice;
  return json;
}

void print_device(const DeviceInfo& d) {
  std::printf("  %-5s %-44s %-4s %4u units %5u MHz  %9s, local %8s  work-group ≤ %-5zu fp64 %-3s  driver %s\n",
              text_of(d.id).c_str(), d.name.c_str(), std::string(name_of(d.device_class)).c_str(), d.compute_units,
              d.clock_mhz, bytes_text(static_cast<double>(d.global_bytes)).c_str(),
              bytes_text(static_cast<double>(d.local_bytes)).c_str(), d.max_work_group, d.fp64 ? "yes" : "no",
              d.driver.c_str());
  if (!d.fault.empty()) std::printf("        cannot be used: %s\n", d.fault.c_str());
  if (!d.notice.empty()) std::printf("        note: %s\n", d.notice.c_str());
}

}  // namespace orrery::cli
