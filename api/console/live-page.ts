// The body of the page of the live microphone.
import { spokenLanguages } from '../fields/language.ts';
import { limitsOf, liteModel } from '../../models/contract/served-models.ts';

const { maxSeconds } = limitsOf(liteModel);

/** Words that may still change are not read to people who cannot see that they are dimmed. */
export const liveBody = `<h1>Live microphone</h1>
<section class="card" aria-labelledby="recording-title">
<h2 id="recording-title" class="visually-hidden">Recording</h2>
<div class="controls"><button id="record" class="primary" type="button" aria-pressed="false">Start
</button><output id="clock" aria-label="Recorded">0:00</output>
<label class="level">Level <meter id="level" min="0" max="1" value="0"></meter></label></div>
<p>Speak <strong>English</strong>, the language that live words have. For another one record it
first: <a href="../console">recordings</a> may be in any of ${spokenLanguages.length} languages.</p>
<p class="quiet">Up to ${maxSeconds} seconds. Words appear while you speak: solid when they are
certain, dimmed while they may still change.</p>
<div id="heard" class="heard" dir="auto" data-empty="What you say appears here.">
<span id="stable" role="log" aria-label="Transcript"></span>
<span id="tail" class="tail" aria-hidden="true"></span></div>
</section>
<section id="outcome" class="card" aria-labelledby="outcome-title" hidden>
<h2 id="outcome-title">Result</h2><p id="outcome-facts" class="quiet" role="status"></p>
<p class="quiet">To see speakers, emotions and styles, and to find it again, let it be analysed as a
recording; that is charged as one.</p>
<p id="outcome-actions" class="actions"></p></section>`;
