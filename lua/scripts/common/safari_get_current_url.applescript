-- safari_get_current_url: the page in the current tab of the frontmost window
--
-- argv:   nothing
-- prints: its URL, a line end, its title; nothing if the tab shows no page
-- errors: -1703 there are arguments, -600 Safari does not run, 9001 it has no window
--
-- Safari is not started for it. Works for up to 15 seconds.

on run argv
    if (count of argv) is not 0 then error "safari_get_current_url takes nothing" number -1703
    if application id "com.apple.Safari" is not running then error "Safari does not run" number -600
    using terms from application id "com.apple.Safari"
        with timeout of 15 seconds
            tell application id "com.apple.Safari"
                if (count of windows) is 0 then error "Safari has no window" number 9001
                set theAddress to URL of current tab of window 1
                set theTitle to name of current tab of window 1
            end tell
        end timeout
    end using terms from
    if theAddress is missing value then return ""
    return theAddress & linefeed & theTitle
end run
