// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace ordeal::detail {

/// Whether this process was started as a remote worker (engine/process/remote_workers.hpp). Then it does not do what
/// its command line says.
[[nodiscard]] bool is_remote_worker();
/// Does what it is told through the socket of ORDEAL_REMOTE_WORKER until nobody is there any more.
[[noreturn]] void serve_client();

}  // namespace ordeal::detail
