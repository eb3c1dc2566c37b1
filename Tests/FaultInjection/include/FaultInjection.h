// Preloaded into a process, this library records or fails the calls by which it changes the files below one folder.
//
//   HUB_FAULTS_ROOT    the folder; calls elsewhere are left alone
//   HUB_FAULTS_MODE    log      append each call to the file HUB_FAULTS_LOG
//                      kill     end the process by SIGKILL instead of call HUB_FAULTS_AT
//                      tear     the same, after the first half of a write
//                      io       call HUB_FAULTS_AT alone fails with EIO
//                      full     from call HUB_FAULTS_AT on, all that needs room fails with ENOSPC
//
//
//   HUB_FAULTS_CLOCK   a file whose first eight bytes are the wall-clock time in milliseconds, whatever the time is
//
// Calls are counted from 1 over all threads. Children of the process are not affected.
#pragma once
