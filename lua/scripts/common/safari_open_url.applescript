-- safari_open_url: open a URL in a new tab or a new window
--
-- argv:   the URL; "window" or "tab"
-- prints: the number of windows, a line end, the number of tabs of the frontmost one
-- errors: -1703 arguments are missing
--
-- The page loads afterwards: safari_get_current_url says which one is shown. Works for up to 30 seconds.

on run argv
    if (count of argv) is not 2 then error "safari_open_url takes a URL, and window or tab" number -1703
    set theAddress to item 1 of argv
    set wantsWindow to (item 2 of argv is "window")
    using terms from application id "com.apple.Safari"
        with timeout of 30 seconds
            tell application id "com.apple.Safari"
                activate
                if wantsWindow or (count of windows) is 0 then
                    make new document with properties {URL:theAddress}
                else
                    tell window 1 to set current tab to (make new tab with properties {URL:theAddress})
                end if
                set windowCount to count of windows
                set tabCount to count of tabs of window 1
            end tell
        end timeout
    end using terms from
    return (windowCount as text) & linefeed & (tabCount as text)
end run
