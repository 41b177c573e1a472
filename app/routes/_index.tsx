export default function Landing() {
  return <h1>LetsBuzz</h1>
}
