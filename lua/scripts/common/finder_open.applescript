-- finder_open: open a file or a folder
--
-- argv:   its absolute path; the bundle id of the application that is to open it, or ""
-- prints: the folder that the frontmost Finder window shows then; nothing if there is none
-- errors: -1703 arguments are missing, -43 and -1728 there is no such file or application
--
-- Which application opened a file, and whether it did, the Finder does not say. Works for up to 30 seconds.

on run argv
    if (count of argv) is not 2 then error "finder_open takes a path and a bundle id" number -1703
    set theItem to (POSIX file (item 1 of argv)) as alias
    set bundleId to item 2 of argv
    set shown to ""
    using terms from application id "com.apple.finder"
        with timeout of 30 seconds
            tell application id "com.apple.finder"
                if bundleId is "" then
                    open theItem
                else
                    open theItem using application file id bundleId
                end if
                if (count of Finder windows) > 0 then
                    try
                        set shown to POSIX path of ((target of Finder window 1) as alias)
                    end try
                end if
            end tell
        end timeout
    end using terms from
    return shown
end run
