#pragma once

// libpq, loaded on first use.
#include <postgresql/libpq-fe.h>

#include <CLazy.h>

#define POSTGRESQL_FUNCTIONS(X)                                                                                        \
    X(PQconnectStartParams)                                                                                            \
    X(PQconnectPoll)                                                                                                   \
    X(PQconninfoParse)                                                                                                 \
    X(PQconninfoFree)                                                                                                  \
    X(PQfinish)                                                                                                        \
    X(PQstatus)                                                                                                        \
    X(PQsetErrorVerbosity)                                                                                             \
    X(PQerrorMessage)                                                                                                  \
    X(PQsocket)                                                                                                        \
    X(PQsetNoticeProcessor)                                                                                            \
    X(PQsetnonblocking)                                                                                                \
    X(PQenterPipelineMode)                                                                                             \
    X(PQpipelineSync)                                                                                                  \
    X(PQsendPrepare)                                                                                                   \
    X(PQsendQueryPrepared)                                                                                             \
    X(PQflush)                                                                                                         \
    X(PQconsumeInput)                                                                                                  \
    X(PQisBusy)                                                                                                        \
    X(PQgetResult)                                                                                                     \
    X(PQresultStatus)                                                                                                  \
    X(PQresultErrorField)                                                                                              \
    X(PQcmdTuples)                                                                                                     \
    X(PQntuples)                                                                                                       \
    X(PQnfields)                                                                                                       \
    X(PQgetisnull)                                                                                                     \
    X(PQgetlength)                                                                                                     \
    X(PQgetvalue)                                                                                                      \
    X(PQclear)                                                                                                         \
    X(PQnotifies)                                                                                                      \
    X(PQfreemem)

LAZY_DECLARE(lazy_postgresql, POSTGRESQL_FUNCTIONS)
