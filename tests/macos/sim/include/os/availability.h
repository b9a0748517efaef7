/* Every function of the simulation is there on every version. */
#define API_AVAILABLE(...)
