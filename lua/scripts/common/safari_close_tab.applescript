-- safari_close_tab: close the current tab of the frontmost window
--
-- argv:   the URL that it must show, or ""
-- prints: the number of tabs of all windows before, a line end, the number after, a line end, the URL that it showed
-- errors: -1703 arguments are missing, -600 Safari does not run, 9001 it has no window, 9002 the tab shows another URL
--
-- A page may ask whether to leave it: then its tab is still there. Works for up to 30 seconds.

on run argv
    if (count of argv) is not 1 then error "safari_close_tab takes a URL" number -1703
    set wantedAddress to item 1 of argv
    if application id "com.apple.Safari" is not running then error "Safari does not run" number -600
    using terms from application id "com.apple.Safari"
        with timeout of 30 seconds
            tell application id "com.apple.Safari"
                if (count of windows) is 0 then error "Safari has no window" number 9001
                set theAddress to URL of current tab of window 1
                if theAddress is missing value then set theAddress to ""
                considering case
                    if wantedAddress is not "" and theAddress is not wantedAddress then error theAddress number 9002
                end considering
                set tabsBefore to my tabCount()
                close current tab of window 1
                set tabsAfter to my tabCount()
            end tell
        end timeout
    end using terms from
    return (tabsBefore as text) & linefeed & (tabsAfter as text) & linefeed & theAddress
end run

-- The tabs of all windows.
on tabCount()
    set total to 0
    using terms from application id "com.apple.Safari"
        tell application id "com.apple.Safari"
            repeat with i from 1 to (count of windows)
                set total to total + (count of tabs of window i)
            end repeat
        end tell
    end using terms from
    return total
end tabCount
