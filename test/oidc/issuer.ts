import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, type Configuration, type JWKS } from 'oidc-provider';

/**
 * Entry: an OpenID provider. Anybody signs in by a name and any password (its own development pages), as the person
 * <name>@people.example; access tokens are JWTs for the resource that was asked for. It takes its keys by message, and
 * other ones by another message. `PORT` 0 takes a free one.
 */
const server = createServer();
server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
const issuer = `http://127.0.0.1:${port}`;
let respond: ReturnType<Provider['callback']> | null = null;
server.on('request', (request, response) => {
  if (respond === null) response.writeHead(503).end();
  else void respond(request, response);
});
process.on('message', (jwks: JWKS) => {
  respond = new Provider(issuer, configurationOf(jwks)).callback();
  process.send?.(issuer);
});
process.once('disconnect', () => {
  server.close();
  server.closeAllConnections();
});
process.send?.(issuer);

function configurationOf(jwks: JWKS): Configuration {
  return {
    jwks,
    clients: [
      {
        client_id: 'web',
        client_secret: 'web-secret',
        redirect_uris: ['http://127.0.0.1/callback'],
        grant_types: ['authorization_code', 'client_credentials'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    cookies: { keys: ['test'] },
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...personOf(accountId) }) }),
    // Access tokens carry the person, as those of most issuers can be told to.
    extraTokenClaims: (_context, token) => ('accountId' in token ? personOf(token.accountId) : { role: 'admin' }),
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, resource) => ({
          scope: 'trade',
          audience: resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 300,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  };
}

function personOf(name: string): Record<string, unknown> {
  return {
    name: `Person ${name}`,
    email: `${name}@people.example`,
    email_verified: !name.startsWith('unverified'),
    roles: ['user', 'admin'],
  };
}
