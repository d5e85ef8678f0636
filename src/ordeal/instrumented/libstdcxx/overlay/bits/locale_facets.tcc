#pragma GCC system_header
#include <bits/c++config.h>
#pragma push_macro("_GLIBCXX_EXTERN_TEMPLATE")
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 1
#include_next <bits/locale_facets.tcc>
#pragma pop_macro("_GLIBCXX_EXTERN_TEMPLATE")
