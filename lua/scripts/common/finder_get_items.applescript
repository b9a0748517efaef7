-- finder_get_items: the items of a folder whose names contain a text
--
-- argv:   the folder, an absolute path; the text, in any case, or ""
-- prints: the class and the name of each item, with a colon between all of them: no name in the Finder has one
-- errors: -1703 arguments are missing, -43 and -1728 there is no such folder
--
-- Works for up to 30 seconds.

on run argv
    if (count of argv) is not 2 then error "finder_get_items takes a folder and a text" number -1703
    set theFolder to (POSIX file (item 1 of argv)) as alias
    set theText to item 2 of argv
    set said to {}
    using terms from application id "com.apple.finder"
        with timeout of 30 seconds
            tell application id "com.apple.finder"
                if theText is "" then
                    set theClasses to class of every item of folder theFolder
                    set theNames to name of every item of folder theFolder
                else
                    set theClasses to class of every item of folder theFolder whose name contains theText
                    set theNames to name of every item of folder theFolder whose name contains theText
                end if
                repeat with i from 1 to (count of theNames)
                    set end of said to (item i of theClasses) as text
                    set end of said to item i of theNames
                end repeat
            end tell
        end timeout
    end using terms from
    return joined(said)
end run

-- The items as one text, with colons between them.
on joined(someItems)
    set oldDelimiters to AppleScript's text item delimiters
    set AppleScript's text item delimiters to ":"
    set theText to someItems as text
    set AppleScript's text item delimiters to oldDelimiters
    return theText
end joined
