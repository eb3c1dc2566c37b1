/// The unit file with which the user's systemd runs `hub serve`, sandboxed as far as a user's manager can.
package struct ServiceUnit: Sendable {
    /// The unit's name.
    package static let name = "hub.service"

    private let program: String
    private let arguments: [String]
    private let environment: [(name: String, value: String)]
    private let writable: [String]

    /// A unit that starts `program`, an absolute path, with `arguments` and the variables of `environment`. `writable` are
    /// folders outside the home folder that it may write to.
    package init(
        program: String, arguments: [String] = ["serve"], environment: [(name: String, value: String)] = [],
        writable: [String] = []
    ) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.writable = writable
    }

    /// The text of the file.
    ///
    /// A restart does not fix an error in the command line or the config, or a missing permission.
    ///
    /// The whole file system is read-only except for the home folder, which contains books, exports and backups, the
    /// runtime folder, and paths that the config file names elsewhere. Commands that hub runs for the user, such as
    /// hooks and `password = { command = … }`, have the same restrictions.
    package var text: String {
        """
        [Unit]
        Description=hub: sync, reminders and the web page
        Documentation=man:hub(1)

        [Service]
        Type=notify
        ExecStart=\(([program] + arguments).map { ServiceUnit.quoted($0) }.joined(separator: " "))\(variables)
        ExecReload=/bin/kill -HUP $MAINPID
        Restart=on-failure
        RestartPreventExitStatus=64 77 78
        RestartSec=5
        WatchdogSec=60
        TimeoutStopSec=60
        UMask=0077
        NoNewPrivileges=yes
        PrivateUsers=yes
        PrivateTmp=yes
        ProtectSystem=strict
        ReadWritePaths=%h %t\(paths)
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

    private var variables: String {
        environment.map { "\nEnvironment=\(ServiceUnit.quoted("\($0.name)=\($0.value)", isCommand: false))" }.joined()
    }

    /// With `-` in front of them: a folder that is not mounted now does not keep the service from starting.
    private var paths: String { writable.map { " " + ServiceUnit.quoted("-" + $0, isCommand: false) }.joined() }

    /// `word` as systemd.syntax(7) reads it back: in quotes when needed, without specifiers, and in a command line without
    /// variables.
    static func quoted(_ word: String, isCommand: Bool = true) -> String {
        let plain = word.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "%": result += "%%"
            case "$" where isCommand: result += "$$"
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        let needsQuotes =
            word.isEmpty
            || word.unicodeScalars.contains { $0.properties.isWhitespace || "\"'\\;".unicodeScalars.contains($0) }
        return needsQuotes ? "\"\(plain)\"" : plain
    }
}
