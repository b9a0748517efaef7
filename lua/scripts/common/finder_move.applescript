-- finder_move: move a file or a folder into another folder
--
-- argv:   its absolute path; that of the folder
-- prints: where it is then
-- errors: -1703 arguments are missing, -43 and -1728 there is no such file or folder, -15267 there is one of that name
--
-- Works for up to 300 seconds.

on run argv
    if (count of argv) is not 2 then error "finder_move takes a path and a folder" number -1703
    set theItem to (POSIX file (item 1 of argv)) as alias
    set theFolder to (POSIX file (item 2 of argv)) as alias
    using terms from application id "com.apple.finder"
        with timeout of 300 seconds
            tell application id "com.apple.finder"
                set theResult to (move theItem to folder theFolder) as alias
            end tell
        end timeout
    end using terms from
    return POSIX path of theResult
end run
