#ifndef ORDEAL_CXXCONFIG_H
#define ORDEAL_CXXCONFIG_H 1
#pragma GCC system_header
#include_next <bits/c++config.h>
#include <bits/ordeal_ndebug.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#endif
