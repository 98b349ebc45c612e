# The build environment as an image, from the same lists as the one that ./bazelw makes:
#
#   docker build -t onnxport-env .
#   docker run --rm -it -v "$PWD:/onnxport" onnxport-env ./bazelw test //...

FROM node:lts-slim AS buildifier
COPY tools/env/add_buildifier /env/
RUN /env/add_buildifier /

FROM debian:forky-slim
COPY tools/env /env
RUN apt-get update \
    && sed 's/#.*//' /env/packages.txt | xargs apt-get install -y --no-install-recommends \
    && python3 -m pip install --no-deps --no-cache-dir --break-system-packages --root-user-action=ignore -r /env/python.txt \
    && /env/onnxruntime_layout / \
    && python3 -m pip download --no-deps --no-cache-dir --require-hashes --no-binary onnx --dest /onnx -r /env/onnx_source.txt \
    && tar -xzf /onnx/*.tar.gz -C /onnx --strip-components=1 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=buildifier /usr/local/bin/buildifier /usr/local/bin/
ENV ONNX_SOURCE=/onnx
WORKDIR /onnxport
