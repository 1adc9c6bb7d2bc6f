# claimcheck as a container for an MCP host to start: docker build -t claimcheck .
# docker run -i --rm --init -e OPENAI_API_KEY -e OPENAI_MODEL -v claimcheck:/data claimcheck
# -i keeps the input open that the server lives by; --init passes signals on and buries the dead.

# The full image has the compiler that better-sqlite3 needs where it finds no binary of its own.
FROM node:22.23.3-bookworm AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build
# What runs is dist/ and three packages; of SQLite the compiled addon, not its sources.
RUN npm prune --omit=dev \
  && cd node_modules/better-sqlite3 \
  && find build -type f ! -path build/Release/better_sqlite3.node -delete \
  && rm -rf deps src

# The same Debian, so that the addon finds the C library it was made for.
FROM node:22.23.3-bookworm-slim
LABEL org.opencontainers.image.title="claimcheck" \
  org.opencontainers.image.licenses="MIT" \
  io.modelcontextprotocol.server.name="io.github.claimcheck/claimcheck"
ENV NODE_ENV=production CLAIMCHECK_DATA_DIR=/data
WORKDIR /app
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
# A new volume takes its owner and mode from the directory it is laid over.
RUN install --directory --owner=node --group=node --mode=0700 /data
USER node
VOLUME /data
ENTRYPOINT ["node", "/app/dist/claimcheck.js"]
