# fish completion for hub
function __hub_complete
    command -q hub; or return
    set -l words (commandline -opc)
    set -e words[1]
    set -l current (commandline -ct)
    set -l lines (HUB_JSON= HUB_OUTPUT= HUB_DRY_RUN= hub __complete -- $words "$current" 2>/dev/null)
    set -l kind $lines[1]
    set -e lines[1]
    switch "$kind"
        case 'files*'
            set -l extensions (string split -n ' ' -- (string sub -s 7 -- "$kind"))
            if test (count $extensions) -eq 0
                __fish_complete_path "$current"
            else
                for extension in $extensions
                    __fish_complete_suffix .$extension
                end
            end
        case directories
            __fish_complete_directories "$current"
        case '*'
            # fish looks for what was typed in the word and its meaning; what was found by other spelling has
            # it put there.
            set -l typed (string escape --style=regex -- "$current")
            for line in $lines
                string match -qir -- "$typed" "$line"; or set line "$line ~ $current"
                printf '%s\n' $line
            end
    end
end
complete -c hub -f -a '(__hub_complete)'
