/* For cppcheck, which does not read the headers of libraries: the macros of theirs that
 * change how code reads. */
#define cJSON_ArrayForEach(element, array)                                                         \
    for (element = (array) ? (array)->child : 0; element; element = element->next)
