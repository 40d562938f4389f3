// Which sockets of programs outside lie in the workspace.
import { expect, test } from '@jest/globals';
import { boundOutside } from './host-sockets.js';

const table = `Num       RefCount Protocol Flags    Type St Inode Path
ffff8881: 00000002 00000000 00010000 0001 01 19263 /srv/app.sock
ffff8882: 00000003 00000000 00000000 0001 03 19264
ffff8883: 00000002 00000000 00010000 0001 01   263 @/srv/abstract.sock
ffff8884: 00000002 00000000 00010000 0001 01 19265 ./tmp/rel.sock
ffff8885: 00000002 00000000 00010000 0001 01 19266 /srv/with a space.sock
`;

test('by path; by name where it was bound by a relative path; not by what is only alike', () => {
  const sockets = ['/srv/app.sock', '/srv/sub/app.sock', '/srv/abstract.sock', '/srv/tmp/rel.sock', '/srv/with a space.sock', '/srv/job.sock'];
  expect(boundOutside(sockets, table)).toEqual(['/srv/app.sock', '/srv/tmp/rel.sock', '/srv/with a space.sock']);
});

test('the table of this machine can be read', () => {
  expect(boundOutside(['/no/such.sock'])).toEqual([]);
});
