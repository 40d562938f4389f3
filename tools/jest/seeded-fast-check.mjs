// What tests get for 'fast-check': with HAFT_SEED set, every property draws from that seed. CI sets it from the tree under test, so that
// each change is tried with new inputs, and a second run of the same tree meets the same ones. Without it each run draws afresh.
import fc from 'fast-check';

const seed = process.env.HAFT_SEED;
if (seed) fc.configureGlobal({ seed: Number(seed) });

export default fc;
