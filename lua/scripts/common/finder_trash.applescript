-- finder_trash: move a file or a folder to the trash
--
-- argv:   its absolute path
-- prints: where it is in the trash
-- errors: -1703 arguments are missing, -43 and -1728 there is no such file
--
-- The Finder's "delete" only moves to the trash. Works for up to 60 seconds.

on run argv
    if (count of argv) is not 1 then error "finder_trash takes a path" number -1703
    set theItem to (POSIX file (item 1 of argv)) as alias
    using terms from application id "com.apple.finder"
        with timeout of 60 seconds
            tell application id "com.apple.finder"
                set theResult to (delete theItem) as alias
            end tell
        end timeout
    end using terms from
    return POSIX path of theResult
end run
