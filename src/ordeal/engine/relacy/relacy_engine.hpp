// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/relacy/kernel.hpp"

namespace ordeal::detail {

/// The Relacy Race Detector behind the runtime. Its verdict is never *held*: each result names its limits.
class relacy_engine final : public engine {
public:
    [[nodiscard]] std::string_view name() const noexcept override { return "relacy"; }
    [[nodiscard]] std::size_t max_threads() const noexcept override { return relacy::max_threads; }
    [[nodiscard]] search_result search(const scenario& what, const search_options& how,
                                       search_progress& progress) override;
};

}  // namespace ordeal::detail
