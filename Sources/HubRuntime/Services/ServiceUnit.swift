/// The unit file by which a person's own systemd runs `hub serve`, closed in as far as a user's manager can.
package struct ServiceUnit: Sendable {
    /// The unit's name.
    package static let name = "hub.service"

    private let program: String
    private let arguments: [String]

    /// A unit that starts `program`, an absolute path, with `arguments`.
    package init(program: String, arguments: [String] = ["serve"]) {
        self.program = program
        self.arguments = arguments
    }

    /// The text of the file.
    ///
    /// The whole file system is read-only but for the home folder, where books, exports and backups lie, and the
    /// runtime folder. The commands that hub runs for the person, hooks and `password = { command = … }`, are held
    /// within the same walls.
    package var text: String {
        """
        [Unit]
        Description=hub: contacts, notes, records, prices and habits
        Documentation=man:hub(1)

        [Service]
        Type=notify
        ExecStart=\(([program] + arguments).map(ServiceUnit.quoted).joined(separator: " "))
        Restart=on-failure
        RestartSec=5
        WatchdogSec=60
        TimeoutStopSec=20
        UMask=0077
        NoNewPrivileges=yes
        PrivateUsers=yes
        PrivateTmp=yes
        ProtectSystem=strict
        ReadWritePaths=%h %t
        ProtectClock=yes
        ProtectControlGroups=yes
        ProtectHostname=yes
        ProtectKernelLogs=yes
        ProtectKernelModules=yes
        ProtectKernelTunables=yes
        RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK AF_BLUETOOTH
        RestrictNamespaces=yes
        RestrictRealtime=yes
        RestrictSUIDSGID=yes
        LockPersonality=yes
        MemoryDenyWriteExecute=yes
        SystemCallArchitectures=native
        SystemCallErrorNumber=EPERM
        SystemCallFilter=@system-service

        [Install]
        WantedBy=default.target

        """
    }

    /// `word` as systemd.syntax(7) reads it back: in quotes when needed, without specifiers and variables.
    static func quoted(_ word: String) -> String {
        let plain = word.reduce(into: "") { result, character in
            switch character {
            case "%": result += "%%"
            case "$": result += "$$"
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.append(character)
            }
        }
        let needsQuotes = word.isEmpty || word.contains { $0.isWhitespace || "\"'\\;".contains($0) }
        return needsQuotes ? "\"\(plain)\"" : plain
    }
}
