"""What an administrator does who follows docs/notes-server.md and docs/service.md, in a machine whose first process is systemd.

The machine is started twice; the second time, all that is enabled has to come by itself. Names of the pages lead to this machine.
"""

import json
import os
import pathlib
import pwd
import re
import shlex
import subprocess
import time

from manual import Page

STARTED = time.monotonic()
NOTES, SERVICE = Page("/guest/docs/notes-server.md"), Page("/guest/docs/service.md")
BOOTED = pathlib.Path("/guest/booted")
# The machine is emulated, and others may run beside it.
PATIENCE = 900
PASSWORD = "a password of the database"
UNITS = ["hub-notes@1", "hub-notes@2"]
MONITORS = ["127.0.0.1:9401", "127.0.0.1:9402"]
# A lower figure is a smaller surface.
EXPOSURE = {"hub-notes@1.service": 1.6, "hub.service": 5.5}
failures = []


def say(text):
    print(f"[{time.monotonic() - STARTED:6.1f} s] {text}", flush=True)


def check(holds, text):
    say(("ok      " if holds else "FAILED  ") + text)
    if not holds:
        failures.append(text)


def sh(command, user=None, code=0, given=None):
    """Runs a command as a person types it, and returns what it prints; another exit code than `code` is a failure, unless that is None."""
    words = ["runuser", "-u", user, "--"] if user else []
    environment = os.environ | {"HOME": "/root"}
    if user:
        person = pwd.getpwnam(user)
        environment |= {"HOME": person.pw_dir, "XDG_RUNTIME_DIR": f"/run/user/{person.pw_uid}", "USER": user, "LOGNAME": user}
    run = subprocess.run(words + ["bash", "-c", command], capture_output=True, text=True, env=environment, timeout=PATIENCE, cwd="/", input=given,
                         start_new_session=True)
    output = run.stdout + run.stderr
    if code is not None:
        first = command.strip().splitlines()[0][:100]
        check(run.returncode == code, f"{user + ': ' if user else ''}{first} -> {run.returncode}")
        if run.returncode != code:
            print("    " + "\n    ".join(output.splitlines()[-40:]), flush=True)
    return output


def until(condition, text, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            check(False, text)
            return None
        time.sleep(0.5)
    check(True, text)
    return found


def property(unit, name, manager=""):
    return sh(f"systemctl {manager} show -P {name} {unit}", user="maria" if manager else None, code=None).strip()


def is_ready(monitor):
    return sh(f"curl -s -o /dev/null -w '%{{http_code}}' http://{monitor}/readyz", code=None).strip() == "200"


def write(path, text, mode=0o644):
    pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path(path).write_text(text)
    os.chmod(path, mode)


def journal(unit, fields="", user=None):
    manager = "--user" if user else ""
    return sh(f"journalctl {manager} --no-pager -b {fields} {'--user-unit' if user else '-u'} {unit}", user=user, code=None)


def certificates():
    """The authority of the team, which alone this machine trusts, with certificates for the database and for the proxy."""
    sh("""set -e
        mkdir -p /etc/team; cd /etc/team
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj "/CN=authority of the team" -keyout ca.key -out ca.pem 2>/dev/null
        for name in db notes; do
            openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$name.example.org" -keyout $name.key -out $name.csr 2>/dev/null
            printf 'subjectAltName=DNS:%s.example.org' $name > $name.ext
            openssl x509 -req -in $name.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -extfile $name.ext -out $name.pem 2>/dev/null
        done
        cp ca.pem /usr/local/share/ca-certificates/team.crt; : > /etc/ca-certificates.conf; update-ca-certificates --fresh >/dev/null 2>&1
        install -d /etc/ssl/private; install -m600 notes.key /etc/ssl/private/notes.key; install -m644 notes.pem /etc/ssl/notes.pem
        cat notes.pem notes.key > /etc/haproxy/notes.pem
        install -o postgres -m600 db.key /etc/postgresql/db.key; install -o postgres -m644 db.pem /etc/postgresql/db.pem""")
    with open("/etc/hosts", "a", encoding="utf-8") as file:
        file.write("127.0.0.1 localhost db.example.org notes.example.org\n")


def database():
    sh("systemctl start postgresql")
    sh("""runuser -u postgres -- psql -qc "ALTER SYSTEM SET ssl_cert_file = '/etc/postgresql/db.pem'" -c "ALTER SYSTEM SET ssl_key_file = '/etc/postgresql/db.key'"
        systemctl restart postgresql""")
    sh(NOTES.block("A database of its own"), user="postgres", given=f"{PASSWORD}\n{PASSWORD}\n")


def first_server():
    """The commands of "Set up", of which the last one is ended again."""
    commands = NOTES.block("put the password into `~/.pgpass`").replace("PASSWORD", PASSWORD)
    before, last = commands.strip().rsplit("\n", 1)
    check(last == "hub notes serve", "the last command serves")
    sh(before)
    process = subprocess.Popen(["bash", "-c", "exec " + last], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               env=os.environ | {"HOME": "/root"}, start_new_session=True)
    said = []
    for line in process.stdout:
        said.append(line.strip())
        if "listens on" in line:
            break
    check(bool(said) and "listens on" in said[-1], " | ".join(said))
    process.send_signal(2)
    check(process.wait(PATIENCE) in (0, 130), f"Ctrl-C ends it: {process.returncode}")
    process.stdout.close()


def units():
    write("/etc/systemd/system/hub-notes@.service", NOTES.block("This is `/etc/systemd/system/hub-notes@.service`"))
    write("/etc/hub/notes.env", NOTES.block("`/etc/hub/notes.env` has what all share"))
    write("/etc/hub/notes-1.env", NOTES.block("`/etc/hub/notes-1.env` has the ports"))
    write("/etc/hub/notes-2.env", NOTES.block("`/etc/hub/notes-2.env` those of the second"))
    sh("cp /root/.pgpass /etc/hub/pgpass")
    sh(NOTES.block("`/etc/hub/pgpass` has the line of the password"))
    for unit, monitor in zip(UNITS, MONITORS):
        check(property(unit, "ActiveState") == "active", f"{unit} is active")
        check(is_ready(monitor), f"{unit} is ready when systemctl start has returned")
    verified = sh("systemd-analyze verify --man=no hub-notes@1.service")
    check(verified.strip() == "", "systemd-analyze verify says nothing: " + verified.strip())
    exposure("hub-notes@1.service")
    main = property(UNITS[0], "MainPID")
    say("the process is " + sh(f"ps -o user=,pid=,args= -p {main}", code=None).strip())
    check(sh(f"ps -o user= -p {main}", code=None).strip() not in ("root", ""), "the server does not run as root")
    check("CapEff:\t0000000000000000" in pathlib.Path(f"/proc/{main}/status").read_text(), "it has no capabilities")
    say("its folders: " + sh("find /var/lib/private/hub-notes-1 /run/hub-notes-1 -mindepth 1 | sort | tr '\\n' ' '", code=None))
    check("active (running)" in sh(f"systemctl status --no-pager {UNITS[0]}", code=None), "systemctl status")


def exposure(unit, user=None):
    manager = "--user" if user else ""
    lines = sh(f"systemd-analyze {manager} security --no-pager {unit}", user=user, code=None).strip().splitlines()
    figure = re.search(r"(\d+\.\d+) (\w+)", lines[-1]) if lines else None
    check(figure is not None and float(figure.group(1)) <= EXPOSURE[unit], f"systemd-analyze security: {lines[-1] if lines else 'nothing'}")


def curl(path, *words, code="200"):
    """Asks the proxy, whose certificate is checked."""
    found = sh(f"curl -s -o /dev/null -w '%{{http_code}}' {' '.join(words)} https://notes.example.org{path}", code=None).strip()
    return found == code


def invitation(name):
    said = sh(f"hub notes server users invite {name}")
    return said.splitlines()[0].strip()


def people():
    """Two people with machines of their own write a note together, through the proxy."""
    sh(NOTES.block("set the address in the invitation first").splitlines()[0])
    for name in ("maria", "ada"):
        line = invitation(name)
        check(line.startswith("https://notes.example.org") or "notes.example.org" in line, "the invitation names the proxy")
        sh(f"hub notes servers add team {shlex.quote(line)} --token-file ~/token", user=name)
    sh("hub notes new Plan -m 'first of maria' && hub notes share plan ada && hub notes sync", user="maria")
    sh("hub notes sync && hub notes append plan 'second of ada' && hub notes sync", user="ada")
    sh("hub notes sync", user="maria")
    text = sh("hub notes show plan", user="maria")
    check("first of maria" in text and "second of ada" in text, "both have what both wrote")


def write_and_read(word):
    """One writes, the other reads, whichever server they meet."""
    sh(f"hub notes append plan '{word}' && hub notes sync", user="maria")
    sh("hub notes sync", user="ada")
    check(word in sh("hub notes show plan", user="ada"), f"ada has {word}")


def proxies():
    sh("cp /etc/haproxy/haproxy.cfg /etc/haproxy/haproxy.debian")
    with open("/etc/haproxy/haproxy.cfg", "a", encoding="utf-8") as file:
        file.write("\n" + NOTES.block("**HAProxy**"))
    sh("systemctl enable --now haproxy")
    until(lambda: curl("/api/notes", code="401") or curl("/api/notes", code="403"), "HAProxy passes requests on, and who has no account is refused")
    people()


def kill():
    """A server that is killed is there again, and no one else has noticed."""
    before, restarts = property(UNITS[0], "MainPID"), int(property(UNITS[0], "NRestarts") or 0)
    sh(f"kill -9 {before}")
    write_and_read("killed")
    until(lambda: property(UNITS[0], "MainPID") not in ("0", before) and is_ready(MONITORS[0]), "the killed server is there again")
    check(int(property(UNITS[0], "NRestarts")) == restarts + 1, "it was started again once")


def watchdog():
    """A server that does nothing any more is ended and started again."""
    sh("mkdir -p /run/systemd/system/hub-notes@1.service.d; printf '[Service]\\nWatchdogSec=10\\n' > /run/systemd/system/hub-notes@1.service.d/watchdog.conf")
    sh("systemctl daemon-reload && systemctl restart hub-notes@1")
    before = property(UNITS[0], "MainPID")
    time.sleep(25)
    check(property(UNITS[0], "MainPID") == before, "a server that works feeds its watchdog")
    sh(f"kill -STOP {before}")
    until(lambda: property(UNITS[0], "MainPID") not in ("0", before) and is_ready(MONITORS[0]), "a server that is stuck is started again")
    sh("rm -r /run/systemd/system/hub-notes@1.service.d; systemctl daemon-reload")


def reload_and_restart():
    refused = sh("systemctl reload hub-notes@1", code=None)
    check("not applicable" in refused, "systemctl reload says that it is not there: " + refused.strip().splitlines()[0])
    check(property(UNITS[0], "ActiveState") == "active", "and leaves the server alone")
    for unit in UNITS:
        sh(f"systemctl restart {unit}")
        check(is_ready(MONITORS[UNITS.index(unit)]), f"{unit} is ready after its restart")
        write_and_read("after " + unit)


def stop():
    sh("systemctl stop hub-notes@1")
    check(property(UNITS[0], "Result") == "success" and property(UNITS[0], "ExecMainStatus") == "0", "a stopped server ends with 0")
    write_and_read("with one server")
    lines = [json.loads(line) for line in journal(UNITS[0], "-o json").splitlines()]
    own = [line for line in lines if line.get("_COMM") == "hub"]
    for line in own[-12:]:
        say(f"journal {line.get('PRIORITY')} {line.get('MESSAGE')}")
    check(any("listens on" in str(line["MESSAGE"]) for line in own), "the journal says where it listens")
    check(not any(str(line["MESSAGE"]).startswith("<") or "Ctrl-C" in str(line["MESSAGE"]) for line in own), "and has neither marks nor advice for terminals")
    sh("systemctl start hub-notes@1")


def outage():
    """A database that is away when a server starts, and settings that are wrong."""
    sh("systemctl stop hub-notes@1 hub-notes@2 postgresql")
    sh("systemctl --no-block start hub-notes@1")
    until(lambda: int(property(UNITS[0], "NRestarts") or 0) >= 2, "a server without its database is started again")
    sh("systemctl start postgresql")
    until(lambda: is_ready(MONITORS[0]), "and serves as soon as the database is there")
    sh("systemctl stop hub-notes@1; sed -i 's/a password/a wrong password/' /etc/hub/pgpass")
    sh("systemctl start hub-notes@1", code=1)
    until(lambda: property(UNITS[0], "ActiveState") == "failed", "a server with a wrong password is not started again")
    check(property(UNITS[0], "ExecMainStatus") == "78", "its exit code is 78")
    said = journal(UNITS[0], "-o cat -n 12")
    print("    " + "\n    ".join(said.splitlines()), flush=True)
    check("password authentication failed" in said and ".pgpass" in said, "and the journal says what to do")
    sh("sed -i 's/a wrong password/a password/' /etc/hub/pgpass; systemctl start hub-notes@1 hub-notes@2")
    write_and_read("after the outage")


def nginx():
    sh("systemctl disable --now haproxy")
    write("/etc/nginx/conf.d/hub-notes.conf", NOTES.block("**nginx**\n\n```\nupstream"))
    sh("rm -f /etc/nginx/sites-enabled/default; nginx -t && systemctl enable --now nginx")
    write_and_read("through nginx")


def user(command, code=0):
    return sh(command, user="maria", code=code)


def user_unit():
    """`hub serve` of a person who is not logged in."""
    person = pwd.getpwnam("maria")
    sh(SERVICE.line("loginctl enable-linger") + " maria")
    until(lambda: os.path.exists(f"/run/user/{person.pw_uid}/systemd/private"), "maria's services run without a login")
    # Its page is not the subject.
    user("hub config set hub.web.listen 127.0.0.1:4820")
    user(SERVICE.line("systemctl --user enable --now hub"))
    check(property("hub", "ActiveState", "--user") == "active", "hub.service is active")
    verified = user("systemd-analyze --user verify --man=no hub.service", code=None)
    check(verified.strip() == "", "systemd-analyze verify says nothing: " + verified.strip())
    exposure("hub.service", user="maria")
    print("    " + "\n    ".join(user("hub status").splitlines()), flush=True)
    # What ada writes comes by itself.
    sh("hub notes append plan 'for the service' && hub notes sync", user="ada")
    until(lambda: "for the service" in sh("hub notes show plan", user="maria", code=None), "hub serve has fetched it")
    before = property("hub", "MainPID", "--user")
    user("hub config set hub.log text")
    user(SERVICE.line("systemctl --user reload hub"))
    until(lambda: "SIGHUP" in journal("hub", "-o cat", user="maria") or "settings have changed" in journal("hub", "-o cat", user="maria"),
          "a reload reads the settings")
    check(property("hub", "MainPID", "--user") == before, "by the same process")
    user(f"kill -9 {before}")
    until(lambda: property("hub", "MainPID", "--user") not in ("0", before) and property("hub", "ActiveState", "--user") == "active",
          "a killed hub serve is there again")
    user(SERVICE.line("systemctl --user stop hub"))
    check(property("hub", "Result", "--user") == "success" and property("hub", "ExecMainStatus", "--user") == "0", "a stopped hub serve ends with 0")
    said = journal("hub", "-o cat", user="maria")
    print("    " + "\n    ".join(said.splitlines()[-15:]), flush=True)
    check("hub" in user("hub logs", code=None) or bool(user("hub logs", code=None).strip()), "hub logs reads the journal of the unit")
    user("systemctl --user start hub")
    # The unit of the command takes the place of the package's, and leaves nothing.
    user("hub service install")
    check("/.config/systemd/user/hub.service" in property("hub", "FragmentPath", "--user"), "hub service install has written a unit of its own")
    check(property("hub", "ActiveState", "--user") == "active", "and it runs")
    user("hub service uninstall")
    check("/usr/lib/systemd/user/hub.service" in property("hub", "FragmentPath", "--user"), "hub service uninstall gives the package's unit its place again")
    user(SERVICE.line("systemctl --user enable --now hub"))


def after_boot():
    """All that is enabled has come by itself."""
    for unit, monitor in zip(UNITS, MONITORS):
        until(lambda: is_ready(monitor), f"{unit} is there after a restart of the machine")
    until(lambda: property("hub", "ActiveState", "--user") == "active", "maria's hub serve is there before she logs in")
    write_and_read("after the boot")
    units = sh("systemctl --failed --no-legend --plain", code=None)
    check(units.strip() == "", "no unit has failed: " + units.strip())


def main():
    boot = 2 if BOOTED.exists() else 1
    say(f"boot {boot}: " + sh("systemctl --version | head -1; nproc; free -m | sed -n 2p", code=None).replace("\n", "; "))
    try:
        steps = [after_boot] if boot == 2 else [
            certificates, database, first_server, units, proxies, kill, reload_and_restart, stop, outage, nginx, user_unit, watchdog]
        for step in steps:
            say("== " + step.__name__)
            step()
    except Exception as error:  # The machine is to end, whatever happens.
        check(False, f"{type(error).__name__}: {error}")
    BOOTED.touch()
    for failure in failures:
        say("failed: " + failure)
    print(f"RESULT boot {boot} {'failed' if failures else 'passed'}", flush=True)
    sh("sync", code=None)


main()
