// The payment service of an imaginary shop: just enough for a container to look into.
import { createServer } from "node:http";

const port = Number(process.env.PORT ?? 8080);

const server = createServer((request, response) => {
  const known = request.url === "/healthz";
  response.writeHead(known ? 200 : 404, { "content-type": "text/plain" });
  response.end(known ? "ok\n" : "not found\n");
});

server.listen(port, () => console.log(`payment 1.0.0 is listening on port ${server.address().port}`));

// As process 1 of its container it gets no default handlers: without this, a Pod takes its whole grace period to end.
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => server.close(() => process.exit(0)));
