-- system_events_get_processes: the applications that run
--
-- argv:   nothing
-- prints: for each the process id, the bundle id, whether it is frontmost and whether it is visible (true or false), and the
--         name; with the character 31 behind the first four, and the character 30 behind the name
-- errors: -1703 there are arguments
--
-- Works for up to 20 seconds.

on run argv
    if (count of argv) is not 0 then error "system_events_get_processes takes nothing" number -1703
    set said to ""
    using terms from application id "com.apple.systemevents"
        with timeout of 20 seconds
            tell application id "com.apple.systemevents"
                set {thePids, theBundles, theFronts, theShown, theNames} to {unix id, bundle identifier, frontmost, visible, name} of (every application process whose background only is false)
            end tell
        end timeout
    end using terms from
    set fieldEnd to character id 31
    set rowEnd to character id 30
    repeat with i from 1 to (count of theNames)
        set theBundle to item i of theBundles
        if theBundle is missing value then set theBundle to ""
        set said to said & ((item i of thePids) as text) & fieldEnd & theBundle & fieldEnd & ((item i of theFronts) as text) & fieldEnd
        set said to said & ((item i of theShown) as text) & fieldEnd & (item i of theNames) & rowEnd
    end repeat
    return said
end run
