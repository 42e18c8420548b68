// Who answers the page: the server that it comes from, or in the playground, a folder of files, the module.
import * as module from './module.js';
import * as server from './server.js';

export const isPlayground = document.querySelector('meta[name=playground]') !== null;
export const {gallery, rulePage, askLanguage} = isPlayground ? module : server;
if (isPlayground) module.prepare().catch(() => {}); // the first question says why
export const {judge} = server;
