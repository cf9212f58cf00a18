# An LTS release of Node that both images below exist for.
ARG NODE_MAJOR=24

# Nothing here is bound to a machine: it is built once for all platforms.
FROM --platform=$BUILDPLATFORM node:${NODE_MAJOR}-trixie-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY scripts/build.js scripts/
COPY src/ src/
COPY checks/ checks/
RUN npm run build

FROM --platform=$BUILDPLATFORM node:${NODE_MAJOR}-trixie-slim AS app
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY LICENSE ./
COPY web/ web/
COPY --from=build /build/dist/ dist/
# A checkout may be closed to others, or open to its group.
RUN chmod -R u=rwX,go=rX .

# Neither shell nor package manager.
FROM gcr.io/distroless/nodejs${NODE_MAJOR}-debian13:nonroot
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="vsphere-problem-detector" \
      org.opencontainers.image.description="Finds what is amiss between a Kubernetes cluster and its vCenters, and says how to mend it." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# The user whom the base names would own the folder.
USER 0:0
WORKDIR /app
COPY --from=app /app/ ./
ENV NODE_ENV=production PATH=/nodejs/bin:/usr/local/bin:/usr/bin:/bin
# By number, so that Kubernetes can tell that it is not root. Any other user will do as well.
USER 65532:65532
EXPOSE 8080 8443
ENTRYPOINT ["node", "/app/dist/src/main.js"]
CMD ["serve"]
