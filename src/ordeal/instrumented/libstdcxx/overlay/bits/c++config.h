#ifndef ORDEAL_CXXCONFIG_H
#define ORDEAL_CXXCONFIG_H 1
#pragma GCC system_header
#include <bits/ordeal_ndebug.h>
#include_next <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#endif
