-- export_slide_png: one slide of a document as a picture
--
-- argv:   bundle id, document id, slide number, folder; absolute, Keynote makes it in one that is there
-- prints: the folder; the picture is the one .png in it
-- errors: 9001 there is no such document, 9004 no such slide, -1703 arguments are missing
--
-- Keynote exports every slide that is not skipped, so the others are skipped for the time of the export, and put
-- back also when it fails. What it does not take back at once it does not take: it is gone, or waits behind a
-- dialog. Works for up to 65 seconds.

on run argv
    if (count of argv) is not 4 then error "export_slide_png takes bundle id, document id, slide, folder" number -1703
    set bundleId to item 1 of argv
    set docId to item 2 of argv
    set wanted to (item 3 of argv) as integer
    set outFolder to POSIX file (item 4 of argv)
    set failText to ""
    set failNumber to 0
    using terms from application id "com.apple.Keynote"
        with timeout of 60 seconds
            tell application id bundleId
                if not (exists document id docId) then error "the document is not open" number 9001
                set docRef to document id docId
                set skippedBefore to skipped of every slide of docRef
                if wanted < 1 or wanted > (count of skippedBefore) then error ("there is no slide " & wanted) number 9004
                try
                    if item wanted of skippedBefore then set skipped of slide wanted of docRef to false -- first: never all at once
                    repeat with i from 1 to (count of skippedBefore)
                        if item i of skippedBefore is (i = wanted) then set skipped of slide i of docRef to (i is not wanted)
                    end repeat
                    export docRef to outFolder as slide images with properties {image format:PNG, skipped slides:false}
                on error errText number errNumber
                    set failText to errText
                    set failNumber to errNumber
                end try
                try
                    with timeout of 5 seconds
                        repeat with i from 1 to (count of skippedBefore)
                            if item i of skippedBefore is (i = wanted) then set skipped of slide i of docRef to (item i of skippedBefore)
                        end repeat
                    end timeout
                on error errText number errNumber
                    if failNumber is 0 then
                        set failText to errText
                        set failNumber to errNumber
                    end if
                end try
            end tell
        end timeout
    end using terms from
    if failNumber is not 0 then error failText number failNumber
    return POSIX path of outFolder
end run
