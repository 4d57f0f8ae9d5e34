# The program alone, in an empty image: static, not root, its games in a volume.
#
#   docker build -t tictactoe .
#   docker run -d --name tictactoe --env-file .env -v tictactoe:/data tictactoe
#
# For another platform: docker buildx build --platform linux/arm64 -t tictactoe .
# With BINARY=released the program is not built here: it is $TARGETPLATFORM/tictactoe.
ARG BINARY=build

FROM --platform=$BUILDPLATFORM golang:1.26 AS base
RUN mkdir -p /out/data

FROM base AS build
WORKDIR /src
COPY go.mod go.sum ./
COPY bot/sandbox/go.mod bot/sandbox/go.sum bot/sandbox/
RUN go mod download
COPY . .
ARG TARGETOS TARGETARCH
ARG VERSION=
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
        go build -trimpath -ldflags="-s -w -X main.buildVersion=$VERSION" -o /out/tictactoe ./cmd/tictactoe

FROM base AS released
ARG TARGETPLATFORM
COPY $TARGETPLATFORM/tictactoe /out/tictactoe

FROM ${BINARY} AS binary

FROM scratch
COPY --from=binary /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=binary /out/tictactoe /tictactoe
COPY --from=binary --chown=65532:65532 /out/data /data
USER 65532:65532
WORKDIR /data
VOLUME /data
ENV DATABASE_URL=sqlite:/data/tictactoe.db HTTP_ADDR=127.0.0.1:8080 TMPDIR=/data
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s CMD ["/tictactoe", "health"]
ENTRYPOINT ["/tictactoe"]
