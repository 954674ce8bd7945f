"""Make the videos of a folder that `calibench export-inputs` wrote, with an image-to-video pipeline of diffusers.

    pip install accelerate diffusers imageio imageio-ffmpeg pillow torch transformers
    calibench export-inputs my-folder
    python diffusers_image_to_video.py my-folder --pipeline Wan-AI/Wan2.1-I2V-14B-480P-Diffusers --size 832x480

Videos that are there already are not made again, so that it can be stopped and started. With --dry-run all is done up
to the call of the pipeline, which is printed instead, one JSON object a video; diffusers and torch are not needed then.
"""

import argparse
import json
from pathlib import Path

from PIL import Image


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="what `calibench export-inputs` wrote")
    parser.add_argument("--pipeline", required=True, help="a pipeline's folder, or its name on the Hub")
    parser.add_argument("--size", default="1280x720", help="width x height of the video, in pixels")
    parser.add_argument("--frames", type=int, default=81, help="frames of a video; some models want 4 n + 1")
    parser.add_argument("--fps", type=int, default=16, help="frames a second")
    parser.add_argument("--steps", type=int, help="denoising steps; by default the pipeline's")
    parser.add_argument("--guidance", type=float, help="guidance scale; by default the pipeline's")
    parser.add_argument("--negative-prompt", help="by default none")
    parser.add_argument("--scene", action="append", help="only this scene; may be given several times")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--dry-run", action="store_true", help="print the calls instead of making them")
    return parser.parse_args()


def jobs(folder, scenes):
    """The jobs whose video is not there yet."""
    with (folder / "jobs.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            job = json.loads(line)
            if (not scenes or job["scene"] in scenes) and not (folder / job["video"]).exists():
                yield job


def picture(path, width, height):
    """The conditioning frame at the video's size: as large a part as its shape allows, from the middle."""
    frame = Image.open(path).convert("RGB")
    scale = max(width / frame.width, height / frame.height)
    left, top = (frame.width - width / scale) / 2, (frame.height - height / scale) / 2
    box = (left, top, frame.width - left, frame.height - top)
    return frame.resize((width, height), Image.Resampling.LANCZOS, box)


def call(job, options):
    """What the pipeline is called with, but for the generator of the job's seed."""
    width, height = map(int, options.size.split("x"))
    optional = {
        "negative_prompt": options.negative_prompt,
        "num_inference_steps": options.steps,
        "guidance_scale": options.guidance,
    }
    return {
        "image": picture(options.folder / job["frame"], width, height),
        "prompt": job["prompt"],
        "width": width,
        "height": height,
        "num_frames": options.frames,
        **{name: value for name, value in optional.items() if value is not None},
    }


def show(job, settings):
    shown = {name: list(value.size) if name == "image" else value for name, value in settings.items()}
    print(json.dumps({"video": job["video"], "seed": job["seed"], "call": shown}))


def main():
    options = arguments()
    todo = list(jobs(options.folder, options.scene))
    if options.dry_run:
        for job in todo:
            show(job, call(job, options))
        return
    import torch
    from diffusers import DiffusionPipeline
    from diffusers.utils import export_to_video

    pipeline = DiffusionPipeline.from_pretrained(options.pipeline, torch_dtype=torch.bfloat16).to(options.device)
    for number, job in enumerate(todo, start=1):
        # Seeded on the CPU: the same noise whatever the device.
        generator = torch.Generator("cpu").manual_seed(job["seed"])
        frames = pipeline(**call(job, options), generator=generator).frames[0]
        video = options.folder / job["video"]
        part = video.with_suffix(".part.mp4")  # only whole videos get their name
        export_to_video(frames, str(part), fps=options.fps)
        part.replace(video)
        print(f"{number} of {len(todo)}: {video}")


if __name__ == "__main__":
    main()
