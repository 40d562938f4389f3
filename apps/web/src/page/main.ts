/** Starts the page: texts and settings, the token, then the conversations. */
import { Api, takeToken } from './api.js';
import { App } from './app.js';
import { showProblem } from './view/problem.js';
import { setUpSettings } from './view/settings.js';
import { words } from './words.js';

setUpSettings();
const token = takeToken();
if (token === undefined) showProblem(new Error(words.noToken));
else new App(new Api(token)).start().catch(showProblem);
