/**
 * Has the page learn of the route of matches before it needs it: a page that is read again while the route is looked for takes
 * it for one that does not exist. Remix looks for what links and forms of the page lead to.
 */
export const MatchRoute = () => <form hidden action="/match/-" data-discover="true" />
