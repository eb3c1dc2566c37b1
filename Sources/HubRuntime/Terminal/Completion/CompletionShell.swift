import Commands

/// A shell that hub can be completed in. Its script asks `hub __complete` for the words, so it is never out of date.
package enum CompletionShell: String, ChoiceArgument {
    case bash
    case zsh
    case fish

    /// The script that the shell reads.
    package var script: String {
        switch self {
        case .bash: CompletionShell.bashScript
        case .zsh: CompletionShell.zshScript
        case .fish: CompletionShell.fishScript
        }
    }

    // bash parts words at "=" and ":", so they are joined again before hub sees them; what is offered loses that part.
    private static let bashScript = #"""
        # bash completion for hub
        _hub() {
            local line=${COMP_LINE:0:COMP_POINT} word words=() i glue=
            for ((i = 1; i <= COMP_CWORD; i++)); do
                word=${COMP_WORDS[i]//\\/}
                word=${word#[\"\']}
                if [[ $word == [=:] || $glue == 1 ]] && ((${#words[@]} > 0)); then
                    words[-1]+=$word
                    [[ $word == [=:] ]] && glue=1 || glue=
                else
                    words+=("$word")
                    glue=
                fi
            done
            ((${#words[@]} == 0)) && words=('')
            [[ $line == *' ' && -n ${words[-1]} && -z ${COMP_WORDS[COMP_CWORD]} ]] && words+=('')
            local current=${words[-1]} cut= kind text help
            [[ $current == *[=:]* ]] && cut=${current%"${current##*[=:]}"}
            COMPREPLY=()
            {
                read -r kind
                case $kind in
                files*)
                    compopt -o filenames 2>/dev/null
                    local extensions=(${kind#files}) extension
                    if ((${#extensions[@]} == 0)); then
                        mapfile -t COMPREPLY < <(compgen -f -- "${current#"$cut"}")
                    else
                        mapfile -t COMPREPLY < <(
                            for extension in "${extensions[@]}"; do
                                compgen -f -X "!*.$extension" -- "${current#"$cut"}"
                            done
                            compgen -d -- "${current#"$cut"}"
                        )
                    fi
                    ;;
                directories)
                    compopt -o filenames 2>/dev/null
                    mapfile -t COMPREPLY < <(compgen -d -- "${current#"$cut"}")
                    ;;
                words*)
                    [[ $kind == *continue ]] && compopt -o nospace 2>/dev/null
                    local shown=() other= named=
                    while IFS=$'\t' read -r text help; do
                        text=${text#"$cut"}
                        [[ $text == "${current#"$cut"}"* ]] || other=1
                        # An id says little: its name stands beside it.
                        if [[ $text =~ ^([a-z]+:)?[0-9][a-z][0-9a-z]*$ && -n $help ]]; then
                            shown+=("$text  $help") named=1
                        else
                            shown+=("$text")
                        fi
                        [[ $text == *[^[:alnum:]_./=,:@%+-]* ]] && printf -v text %q "$text"
                        COMPREPLY+=("$text")
                    done
                    # Of several only the list is shown, unless they are inserted in turn (37) or all at once (42).
                    # What was typed stays when they were found by something else: the blank begins like none of them.
                    if ((${#COMPREPLY[@]} > 1)) && [[ $COMP_TYPE != 37 && $COMP_TYPE != 42 ]]; then
                        [[ $named == 1 ]] && COMPREPLY=("${shown[@]}")
                        [[ $named$other == 11 ]] && COMPREPLY+=(' ')
                    fi
                    ;;
                esac
            } < <(HUB_JSON= HUB_OUTPUT= HUB_DRY_RUN= hub __complete -- "${words[@]}" 2>/dev/null)
        }
        complete -F _hub hub
        """#

    private static let zshScript = #"""
        #compdef hub
        # zsh completion for hub
        _hub() {
            local -a lines described plain
            local line text help kind
            lines=("${(@f)$(HUB_JSON= HUB_OUTPUT= HUB_DRY_RUN= hub __complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
            kind=${lines[1]}
            case $kind in
            files*)
                local -a extensions=(${=kind#files})
                if (( ${#extensions} )); then
                    _files -g "*.(${(j:|:)extensions})"
                else
                    _files
                fi
                ;;
            directories) _files -/ ;;
            words*)
                for line in "${(@)lines[2,-1]}"; do
                    text=${line%%$'\t'*}
                    help=${line#*$'\t'}
                    plain+=("$text")
                    if [[ -n $help ]]; then described+=("$text -- $help"); else described+=("$text"); fi
                done
                local -a options=(-l -d described)
                [[ $kind == *continue ]] && options+=(-S '')
                # Words that were found by something else than their beginning take the place of what was typed; of
                # several only the list is shown, so that nothing typed is lost.
                if (( ! ${#${(M)plain:#${(b)PREFIX}*}} )); then
                    options+=(-U)
                    if (( ${#plain} > 1 )) && [[ $compstate[insert] == *unambiguous ]]; then
                        compstate[insert]=
                        compstate[list]='list force'
                    fi
                fi
                compadd "${(@)options}" -- "${(@)plain}"
                ;;
            esac
        }
        if [[ $funcstack[1] == _hub ]]; then _hub "$@"; else compdef _hub hub; fi
        """#

    private static let fishScript = #"""
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
        """#
}
