// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fake_engine.hpp"

#include <catch2/catch.hpp>

namespace audit_test {

/// The sites of a subject "latch", declared acquire and acq_rel.
inline const auto load = make_site("src/latch.hpp", 10, ordeal::role::load, ordeal::order::acquire);
inline const auto swap = make_site("src/latch.hpp", 20, ordeal::role::exchange, ordeal::order::acq_rel);

inline const ordeal::detail::audited_site& only_site(const ordeal::detail::audit_report& report) {
    REQUIRE(report.subjects.size() == 1);
    REQUIRE(report.subjects[0].sites.size() == 1);
    return report.subjects[0].sites[0];
}

}  // namespace audit_test
