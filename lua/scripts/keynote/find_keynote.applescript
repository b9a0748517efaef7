-- find_keynote: which Keynote to talk to
--
-- argv:   nothing, or the one bundle id to accept
-- prints: bundle id|running, or bundle id|installed
-- errors: -10814 none is installed, -1703 not a Keynote's bundle id
--
-- Keynote 15 and later is com.apple.Keynote ("Keynote Creator Studio.app"), 14 and before is com.apple.iWork.Keynote;
-- a Mac may have both. The one that runs wins, because the user's presentation is there.
--
-- This script uses no application's terms, so it compiles on every Mac. The others are compiled with the dictionary
-- named in their line "using terms from", which has to be installed: for the older Keynote the caller puts its
-- bundle id, as printed here, in the place of that one id. No other part of a script is ever changed.

on run argv
    set candidates to {"com.apple.Keynote", "com.apple.iWork.Keynote"}
    if (count of argv) > 0 then
        if candidates does not contain (item 1 of argv) then error ("not a bundle id of Keynote: " & (item 1 of argv)) number -1703
        set candidates to {item 1 of argv}
    end if
    repeat with candidate in candidates
        if isRunning(contents of candidate) then return (contents of candidate) & "|running"
    end repeat
    repeat with candidate in candidates
        if isInstalled(contents of candidate) then return (contents of candidate) & "|installed"
    end repeat
    error "Keynote is not installed. Get it from the App Store." number -10814
end run

on isRunning(bundleId)
    try
        return running of application id bundleId
    on error
        return false
    end try
end isRunning

-- Asking for the id starts nothing; it fails when no application has it.
on isInstalled(bundleId)
    try
        return (id of application id bundleId) is bundleId
    on error
        return false
    end try
end isInstalled
