/* See IOPowerSources.h. */
#ifndef CHECK_IO_PS_KEYS_H
#define CHECK_IO_PS_KEYS_H

#define kIOPSTypeKey             "Type"
#define kIOPSInternalBatteryType "InternalBattery"
#define kIOPSIsPresentKey        "Is Present"
#define kIOPSCurrentCapacityKey  "Current Capacity"
#define kIOPSMaxCapacityKey      "Max Capacity"
#define kIOPSIsChargingKey       "Is Charging"
#define kIOPSTimeToEmptyKey      "Time to Empty"
#define kIOPSTimeToFullChargeKey "Time to Full Charge"

#endif
