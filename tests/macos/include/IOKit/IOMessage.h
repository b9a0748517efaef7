/* See pwr_mgt/IOPMLib.h. */
#include <IOKit/pwr_mgt/IOPMLib.h>
